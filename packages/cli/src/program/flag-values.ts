import { pageMax } from "@connectors/domain";
import { InvalidArgumentError } from "commander";

/** Milliseconds of `20s`, `500ms`, `10m` or `24h`. */
export function durationMs(text: string): number {
  const match = /^([1-9][0-9]{0,8})(ms|s|m|h)$/.exec(text);
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? ""];
  if (match === null || unit === undefined) {
    throw new InvalidArgumentError("Write it as 500ms, 20s, 10m or 24h.");
  }
  return Number(match[1]) * unit;
}

/** A list written with commas; no empty parts. */
export function commaList(text: string): readonly string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.some((part) => part === "")) throw new InvalidArgumentError("Write it as a,b,c.");
  return parts;
}

/** The same, of a closed set of words. */
export function commaListOf(words: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const parts = commaList(text);
    if (parts.every((part) => words.includes(part))) return parts;
    throw new InvalidArgumentError(`Write a list of ${words.join(", ")}.`);
  };
}

/** A TCP port; 0 is any that is free. */
export function port(text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || value > 65_535) {
    throw new InvalidArgumentError("A port is 0..65535.");
  }
  return value;
}

/** How many rows a page has. */
export function pageSize(text: string): number {
  const value = Number(text);
  if (!/^[1-9][0-9]*$/.test(text) || value > pageMax) {
    throw new InvalidArgumentError(`It is 1..${pageMax}.`);
  }
  return value;
}

/** An audit record's place in the chain. */
export function auditSequence(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError("It is a record's sequence number.");
  }
  return value;
}
