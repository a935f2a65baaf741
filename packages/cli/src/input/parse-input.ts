import { inputBytesMax, jsonDepthMax } from "@connectors/domain";
import {
  fail,
  parseJson,
  succeed,
  type Json,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";
import { didYouMean } from "../output/did-you-mean.js";
import { escapeLine } from "../output/escape.js";
import { failUsage } from "../usage-failure.js";
import type { InputField } from "./input-schema.js";

/** How an input was given on the command line. */
export interface GivenInput {
  /** `field=value` and `field:=json`, in their order. */
  readonly pairs: readonly string[];
  /** What `--input` brought, already read; null without the flag. */
  readonly text: Uint8Array | null;
  /** What stood after `--`; null without it. */
  readonly command: readonly string[] | null;
}

const encoder = new TextEncoder();

function quote(text: string): string {
  return `\`${escapeLine(text.slice(0, 64))}\``;
}

function parseText(bytes: Uint8Array): Outcome<JsonObject> {
  if (bytes.length > inputBytesMax) {
    return fail("capacity", `the input is longer than ${inputBytesMax} bytes`);
  }
  const parsed = parseJson(bytes, { bytesMax: inputBytesMax, depthMax: jsonDepthMax });
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail("invalid_input", "the input is not a JSON object");
  }
  return succeed(value as JsonObject);
}

function typed(field: InputField, text: string): Outcome<Json> {
  switch (field.kind) {
    case "string":
      return succeed(text);
    case "integer":
      return /^-?(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
        ? succeed(Number(text))
        : failUsage("invalid_input", `${field.name} is a whole number`, {
            hint: `Give it as ${field.name}=NUMBER.`,
          });
    case "boolean":
      return text === "true" || text === "false"
        ? succeed(text === "true")
        : failUsage("invalid_input", `${field.name} is true or false`);
    case "strings":
      return succeed([text]);
    case "json":
      return failUsage("invalid_input", `${field.name} is not a plain value`, {
        hint: `Give it as ${field.name}:=JSON.`,
      });
  }
}

function readJson(field: InputField, text: string): Outcome<Json> {
  const bounds = { bytesMax: inputBytesMax, depthMax: jsonDepthMax };
  const parsed = parseJson(encoder.encode(text), bounds);
  return parsed.ok
    ? parsed
    : failUsage(parsed.failure.code, `${field.name}: ${parsed.failure.message}`);
}

function splitPair(pair: string): { name: string; json: boolean; text: string } | null {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(:?=)([\s\S]*)$/.exec(pair);
  if (match === null) return null;
  return { name: match[1] ?? "", json: match[2] === ":=", text: match[3] ?? "" };
}

function readPair(pair: string, fields: readonly InputField[]): Outcome<[InputField, Json]> {
  const split = splitPair(pair);
  if (split === null) {
    return failUsage("invalid_input", `${quote(pair)} is not field=value or field:=json`, {
      hint: "Write each field as NAME=VALUE; a command goes after `--`.",
    });
  }
  const field = fields.find((candidate) => candidate.name === split.name);
  if (field === undefined) {
    const names = fields.map((candidate) => candidate.name);
    return failUsage(
      "invalid_input",
      `there is no field ${quote(split.name)}.${didYouMean(split.name, names)}`,
      { hint: `The fields are ${names.join(", ")}.` },
    );
  }
  const value = split.json ? readJson(field, split.text) : typed(field, split.text);
  return value.ok ? succeed([field, value.value]) : value;
}

/** One more element for a list field that is named again; any other field is named once. */
function addField(members: Map<string, Json>, field: InputField, value: Json): Outcome<void> {
  const earlier = members.get(field.name);
  if (earlier === undefined) {
    members.set(field.name, value);
    return succeed(undefined);
  }
  if (field.kind === "strings" && Array.isArray(earlier) && Array.isArray(value)) {
    members.set(field.name, [...earlier, ...value]);
    return succeed(undefined);
  }
  return failUsage("invalid_input", `${field.name} is given twice`);
}

/**
 * The input of an operation as its model will check it: one of pairs or `--input`, and a command.
 *
 * Types follow the model's own fields; the model itself is checked where the write is frozen.
 */
export function parseInput(given: GivenInput, fields: readonly InputField[]): Outcome<JsonObject> {
  if (given.text !== null) {
    return given.pairs.length > 0 || given.command !== null
      ? failUsage("invalid_input", "--input and fields on the command line are both given", {
          hint: "Use one of them.",
        })
      : parseText(given.text);
  }
  const members = new Map<string, Json>();
  for (const pair of given.pairs) {
    const read = readPair(pair, fields);
    if (!read.ok) return read;
    const added = addField(members, ...read.value);
    if (!added.ok) return added;
  }
  if (given.command !== null) {
    if (!fields.some((field) => field.name === "command")) {
      return failUsage("invalid_input", "this operation takes no command after `--`", {
        hint: `Its fields are ${fields.map(({ name }) => name).join(", ")}.`,
      });
    }
    if (members.has("command")) return failUsage("invalid_input", "command is given twice");
    members.set("command", [...given.command]);
  }
  return succeed(Object.fromEntries(members));
}
