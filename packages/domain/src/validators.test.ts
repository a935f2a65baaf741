import { describe, expect, test } from "vitest";
import { boundarySuites } from "./gen/boundary/index.js";
import { canonicalJson } from "./support/index.js";
import { makeDraw, mutate, pick } from "./testing/mutate.js";
import { openOracle, statedRules } from "./testing/schema-oracle.js";

const suites = Object.entries(boundarySuites).flatMap(([domain, all]) =>
  all.map((suite) => ({ domain, ...suite })),
);
const oracle = openOracle();

describe("each generated validator", () => {
  test.each(suites)("takes the values at the edges of $type in $domain", (suite) => {
    expect(suite.valid.length).toBeGreaterThan(0);
    for (const value of suite.valid) {
      const result = suite.parse(value);
      expect(result).toMatchObject({ ok: true });
      // What was read is what was there, and reading it again changes nothing.
      if (result.ok) expect(canonicalJson(result.value)).toBe(canonicalJson(value));
      expect(oracle(suite.domain, suite.type, value)).toBe(true);
    }
  });

  test.each(suites)("refuses one step past the edges of $type in $domain by name", (suite) => {
    for (const { path, rule, value } of suite.invalid) {
      expect(suite.parse(value)).toMatchObject({ ok: false, issues: [{ path, rule }] });
      expect(oracle(suite.domain, suite.type, value)).toBe(false);
    }
  });

  test("is asked for each rule between members that a model states", () => {
    const asked = new Set(suites.flatMap(({ invalid }) => invalid.map(({ rule }) => rule)));
    // With a result there is no failure, and without one it is applied: so this follows from both,
    // and no value breaks it alone.
    const implied = ["result_is_applied"];
    expect(statedRules().filter((rule) => !asked.has(rule))).toEqual(implied);
    expect(statedRules().length).toBeGreaterThan(0);
  });

  test("agrees with Ajv and the schema about 20,000 mutants", () => {
    const seed = Number(process.env["MUTANT_SEED"] ?? 20_260_101);
    const mutants = Number(process.env["MUTANTS"] ?? 20_000);
    const draw = makeDraw(seed);
    const small = suites
      .map((suite) => ({ ...suite, valid: suite.valid.filter(isSmall) }))
      .filter(({ valid }) => valid.length > 0);
    let taken = 0;
    for (let index = 0; index < mutants; index += 1) {
      const { domain, type, parse, valid } = pick(draw, small);
      let value: unknown = pick(draw, valid);
      for (let times = pick(draw, [1, 1, 2]); times > 0; times -= 1) value = mutate(draw, value);
      const { ok } = parse(value);
      if (ok) taken += 1;
      if (ok === oracle(domain, type, value)) continue;
      expect.fail(
        `seed ${seed}: ${domain}.${type} ${ok ? "takes" : "refuses"} ${JSON.stringify(value)}`,
      );
    }
    // A mutator that spoiled everything, or nothing, would show nothing.
    expect(taken).toBeGreaterThan(mutants * 0.05);
    expect(taken).toBeLessThan(mutants * 0.9);
  });
});

function isSmall(value: unknown): boolean {
  return JSON.stringify(value).length < 4_000;
}
