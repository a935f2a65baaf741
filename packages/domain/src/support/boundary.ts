import type { JsonValue } from "./json-value.js";
import type { Parsed } from "./parsed.js";

/** A value that breaks exactly one rule of its type. */
export interface FaultyValue {
  readonly path: string;
  readonly rule: string;
  readonly value: JsonValue;
}

/** Values at the edges of one type. */
export interface BoundarySuite {
  readonly type: string;
  readonly parse: (value: unknown) => Parsed<unknown>;
  readonly valid: readonly JsonValue[];
  readonly invalid: readonly FaultyValue[];
}

/** So many different short texts, in order. */
export function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `n${String(index).padStart(4, "0")}`);
}
