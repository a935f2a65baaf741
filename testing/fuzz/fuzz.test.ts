import { randomInt } from "node:crypto";
import { describe, test } from "vitest";
import { shareCases } from "./target.js";
import { fuzzTargets } from "./targets.js";

const casesInAll = 100_000;
const seed = randomInt(2 ** 31 - 1);

describe(`fuzz, ${casesInAll} cases, seed ${seed}`, () => {
  test.each(
    shareCases(fuzzTargets, casesInAll).map(
      ([target, cases]) => [target.name, target, cases] as const,
    ),
  )("%s", (_, target, cases) => target.run(cases, seed), 120_000);
});
