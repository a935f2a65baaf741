import { inputBytesMax, jsonDepthMax } from "@connectors/domain";
import {
  encodeCanonical,
  fail,
  invariant,
  parseJson,
  succeed,
  type Json,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";

/**
 * The canonical text of an input, taken at once: from here on nobody looks at the caller's object
 * again, so nothing that it becomes later can matter.
 *
 * `invalid_input` for what JSON cannot carry and for anything but an object; `capacity` when it is
 * larger than `bytesMax`.
 */
export function encodeInput(input: JsonObject, bytesMax: number = inputBytesMax): Outcome<string> {
  const text = encodeOnce(input);
  if (text === undefined) return fail("invalid_input", "The input is not a JSON object.");
  // Parsing it back refuses what canonical JSON alone would carry: integers that lost digits, and
  // nesting that no model has.
  const parsed = parseInput(text, bytesMax);
  return parsed.ok ? succeed(text) : parsed;
}

/** A fresh parse of frozen input. */
export function readInput(text: string): JsonObject {
  const parsed = parseInput(text, inputBytesMax);
  invariant(parsed.ok, "frozen input is what was frozen");
  return parsed.value;
}

function parseInput(text: string, bytesMax: number): Outcome<JsonObject> {
  const parsed = parseJson(new TextEncoder().encode(text), { bytesMax, depthMax: jsonDepthMax });
  if (!parsed.ok) return parsed;
  return isObject(parsed.value)
    ? succeed(parsed.value)
    : fail("invalid_input", "The input is not a JSON object.");
}

function encodeOnce(input: JsonObject): string | undefined {
  try {
    return encodeCanonical(input);
  } catch {
    // A getter that throws, a cycle, a lone surrogate: all are input that JSON cannot carry.
    return undefined;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
