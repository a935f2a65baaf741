import type { JsonValue } from "./json-value.js";
import { type Invalid, type Reading, invalid, refuse } from "./reading.js";
import { readList, readMap } from "./read-structure.js";
import { isWellFormed } from "./text-size.js";

/** A string that UTF-8 can carry. */
export function readString(value: unknown, at: Reading): string | Invalid {
  if (typeof value !== "string") return refuse(at, "type", "must be a string");
  return isWellFormed(value) ? value : refuse(at, "unicode", "must be well-formed Unicode");
}

/** A boolean. */
export function readBoolean(value: unknown, at: Reading): boolean | Invalid {
  return typeof value === "boolean" ? value : refuse(at, "type", "must be a boolean");
}

/** An integer that a double holds exactly. */
export function readInteger(value: unknown, at: Reading): number | Invalid {
  if (typeof value !== "number") return refuse(at, "type", "must be an integer");
  return Number.isSafeInteger(value) ? value : refuse(at, "type", "must be an exact integer");
}

/** A 64-bit signed integer, which the wire carries as a decimal string. */
export function readInt64(value: unknown, at: Reading): bigint | Invalid {
  if (typeof value !== "string" || !int64Text.test(value)) {
    return refuse(at, "type", "must be a string of a decimal integer");
  }
  const integer = BigInt(value);
  return integer >= int64Min && integer <= int64Max
    ? integer
    : refuse(at, "type", "must fit in 64 bits");
}

/** Milliseconds since 1970, UTC. */
export function readTimestamp(value: unknown, at: Reading): number | Invalid {
  return readMilliseconds(value, at);
}

/** A span of time in milliseconds. */
export function readDuration(value: unknown, at: Reading): number | Invalid {
  return readMilliseconds(value, at);
}

/** A UUID in lowercase. */
export function readUuid(value: unknown, at: Reading): string | Invalid {
  if (typeof value !== "string") return refuse(at, "type", "must be a string");
  return uuidText.test(value) ? value : refuse(at, "type", "must be a lowercase UUID");
}

/** Bytes as unpadded base64url, in the one spelling that encoding gives. */
export function readBytes(value: unknown, at: Reading): string | Invalid {
  if (typeof value !== "string") return refuse(at, "type", "must be a string");
  return base64urlText.test(value)
    ? value
    : refuse(at, "type", "must be canonical base64url without padding");
}

/** The number of bytes that canonical base64url text stands for. */
export function decodedBytes(text: string): number {
  return Math.floor((text.length * 3) / 4);
}

/** Any JSON value, copied. */
export function readJson(value: unknown, at: Reading): JsonValue | Invalid {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return readString(value, at);
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : refuse(at, "type", "must be a finite number");
  }
  if (Array.isArray(value)) return readList(value, at, readJson);
  return readMap(value, at, readString, readJson);
}

const int64Text = /^(?:0|-?[1-9][0-9]{0,18})$/;
const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const base64urlText =
  /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/;

function readMilliseconds(value: unknown, at: Reading): number | Invalid {
  const integer = readInteger(value, at);
  if (integer === invalid) return invalid;
  return integer >= 0 ? integer : refuse(at, "type", "must not be negative");
}
