import { classificationValues } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { explore } from "./explore.js";
import { mutants } from "./mutants.js";
import { realRules } from "./rules.js";
import { scenarios } from "./scenario.js";

const patienceMs = 60_000;

describe("every interleaving of two callers' writes", () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "%s: nothing is sent twice, nothing acknowledged is lost, nobody is told what is not so",
    (_, scenario) => {
      const found = explore(scenario, realRules);
      expect(found.violation).toBeNull();
      // A model in which something never happens proves nothing about it.
      expect([...found.told].toSorted()).toEqual(classificationValues.toSorted());
      expect(found.states).toBeGreaterThan(2000);
      expect(found.ends).toBeGreaterThan(100);
    },
    patienceMs,
  );
});

describe("a seeded bug is caught", () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    "%s",
    (_, { rules, scenario: where, breaks }) => {
      const scenario = scenarios.find((one) => one.name === where);
      if (scenario === undefined) throw new Error(`no scenario is called ${where}`);
      const { violation } = explore(scenario, rules);
      expect(violation?.what).toBe(breaks);
      expect(violation?.trace.length).toBeGreaterThan(0);
    },
    patienceMs,
  );
});
