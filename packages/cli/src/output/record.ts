import { escapeLine } from "./escape.js";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function scalar(value: unknown): string {
  return typeof value === "string" ? escapeLine(value) : escapeLine(JSON.stringify(value));
}

function lines(value: Readonly<Record<string, unknown>>, indent: string): readonly string[] {
  const width = Math.max(0, ...Object.keys(value).map((name) => name.length));
  return Object.entries(value).flatMap(([name, member]) => {
    const label = `${indent}${escapeLine(name).padEnd(width)}`;
    if (isRecord(member)) return [`${indent}${escapeLine(name)}`, ...lines(member, `${indent}  `)];
    if (Array.isArray(member) && member.every((item) => typeof item !== "object")) {
      return [`${label}  ${member.length === 0 ? "none" : member.map(scalar).join(", ")}`];
    }
    return [`${label}  ${scalar(member)}`];
  });
}

/** An object as aligned lines for people, everything escaped. */
export function formatRecord(value: Readonly<Record<string, unknown>>): string {
  return lines(value, "")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
