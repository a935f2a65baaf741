import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fileTargets } from "./file-targets.js";

/** A seed with pieces of it left out, said twice, or replaced by what YAML has opinions about. */
function changed(seed: string): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom(
      ": ",
      "- ",
      "\n  ",
      "*u",
      "&u ",
      "!!set",
      "<<: ",
      "? ",
      "| ",
      "%YAML 1.2\n",
      "---\n",
    ),
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      "'",
      '"',
      "\t",
      "#",
      "null",
      "0x1",
      ".nan",
      "\u0000",
      "__proto__: ",
    ),
    fc
      .tuple(fc.nat(seed.length), fc.nat(40))
      .map(([from, length]) => seed.slice(from, from + length)),
  );
  return fc
    .array(fc.tuple(fc.nat(seed.length), fc.nat(6), piece), { minLength: 1, maxLength: 4 })
    .map((cuts) =>
      cuts.reduce((text, [at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone), seed),
    );
}

test.each(fileTargets)("$name accepts its seed", async ({ seed, read }) => {
  expect((await read(seed)).ok).toBe(true);
});

test.each(fileTargets)(
  "$name answers whatever it is given, in fixed words",
  async ({ seed, read }) => {
    await fc.assert(
      fc.asyncProperty(changed(seed), async (text) => {
        const outcome = await read(text);
        if (outcome.ok) return;
        expect(["invalid_input", "not_found", "unsupported", "unauthorized", "capacity"]).toContain(
          outcome.failure.code,
        );
        expect(outcome.failure.message).toMatch(/^[ -~]{1,160}$/);
      }),
      { numRuns: 200 },
    );
  },
);
