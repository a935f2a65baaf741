import { isDeepStrictEqual } from "node:util";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { jsonDepthMax } from "@connectors/domain";
import { encodeCanonical, parseJson, type Json } from "@connectors/sdk";
import { damaged, makeTarget, type FuzzTarget } from "./target.js";

const bounds = { bytesMax: 65_536, depthMax: jsonDepthMax };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function holds(fact: boolean, what: string): void {
  if (!fact) throw new Error(what);
}

const values = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });

/** `JSON.parse`'s word on the same bytes, or undefined when it refuses them. */
function lenient(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** -0 is 0 for us, and the same for whoever compares. */
function withoutMinusZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const strict: FuzzTarget = makeTarget(
  "strict JSON never takes what JSON.parse refuses, and agrees on what both take",
  4,
  damaged(values.map((value) => utf8(JSON.stringify(value)))),
  (bytes) => {
    const ours = parseJson(bytes, bounds);
    if (!ours.ok) return;
    const theirs = lenient(bytes);
    holds(theirs !== undefined, "took what JSON.parse refuses");
    holds(
      isDeepStrictEqual(withoutMinusZero(ours.value), withoutMinusZero(theirs?.value)),
      "read another value than JSON.parse",
    );
  },
);

const noise: FuzzTarget = makeTarget(
  "strict JSON answers any bytes",
  2,
  fc.uint8Array({ maxLength: 64 }),
  (bytes) => {
    const ours = parseJson(bytes, bounds);
    holds(ours.ok || ours.failure.effect === "none", "a refusal with an effect");
  },
);

const canonical: FuzzTarget = makeTarget(
  "canonical JSON equals canonicalize's, and reads back as the same value",
  3,
  values,
  (value) => {
    const wellFormed = Buffer.from(JSON.stringify(value)).toString().includes("\ufffd");
    if (wellFormed) return;
    const ours = encodeCanonical(value as Json);
    holds(ours === canonicalize(value), "another text than canonicalize");
    const back = parseJson(utf8(ours), bounds);
    if (!back.ok) return;
    holds(encodeCanonical(back.value) === ours, "not stable");
  },
);

/** Targets of JSON in and out. */
export const jsonTargets: readonly FuzzTarget[] = [strict, noise, canonical];
