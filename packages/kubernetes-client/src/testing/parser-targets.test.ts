import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parserTargets } from "./parser-targets.js";

/** A seed with some of its bytes replaced, left out, or said twice. */
function changed(seed: string): fc.Arbitrary<Uint8Array> {
  const bytes = Buffer.from(seed);
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom('"', "null", "[]", "{}", "1e400", '"\\ud800"', '"kind":"x",', "\u0000", "-0")
      .map((text) => Buffer.from(text)),
    fc
      .tuple(fc.nat(bytes.length), fc.nat(40))
      .map(([from, length]) => bytes.subarray(from, from + length)),
  );
  const cut = fc.tuple(fc.nat(bytes.length), fc.nat(6), piece);
  return fc.array(cut, { minLength: 1, maxLength: 4 }).map((cuts) =>
    cuts.reduce<Uint8Array>((text, [at, gone, put]) => {
      const end = Math.min(text.length, at + gone);
      return Buffer.concat([text.subarray(0, Math.min(at, end)), put, text.subarray(end)]);
    }, bytes),
  );
}

test.each(parserTargets)("$name accepts its seed", ({ seed, parse }) => {
  expect(parse(Buffer.from(seed)).ok).toBe(true);
});

test.each(parserTargets)(
  "$name answers whatever it is given, in fixed words",
  ({ seed, parse }) => {
    fc.assert(
      fc.property(fc.oneof(changed(seed), fc.uint8Array({ maxLength: 64 })), (bytes) => {
        const outcome = parse(bytes);
        if (outcome.ok) return;
        expect(["upstream_protocol", "capacity"]).toContain(outcome.failure.code);
        expect(outcome.failure.message).toMatch(/^[a-zA-Z0-9/' :-]{1,80}$/);
      }),
      { numRuns: 3_000 },
    );
  },
);
