import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { runCrashes } from "./run-crashes.js";

// The whole of it is `npx tsx testing/crash/main.ts --kills 500`.
test("processes killed at every boundary and at 50 random instants break no promise", async () => {
  const seed = randomInt(2 ** 32);
  console.log(`crash seed ${seed}`);
  const report = await runCrashes({
    kills: 50,
    boundaries: "different",
    seed,
    log: () => undefined,
  });
  expect(report.broken).toEqual([]);
  // A run that killed nobody in the middle of anything would prove nothing.
  expect(report.boundaries).toEqual(
    expect.arrayContaining([
      "lock held",
      "open_owner committed",
      "anchor committed",
      "begin committed",
      "gate committed",
      "send begun",
      "send answered",
      "settle committed",
      "release_owner committed",
      "lock released",
      "recovery: recover committed",
      "recovery: seizure answered",
    ]),
  );
  expect(report.randomKills).toBeGreaterThan(25);
  expect(report.states).toMatchObject({
    Completed: expect.any(Number),
    Failed: expect.any(Number),
    Aborted: expect.any(Number),
    Indeterminate: expect.any(Number),
  });
}, 600_000);
