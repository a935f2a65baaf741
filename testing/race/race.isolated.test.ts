import { expect, test } from "vitest";
import { runRace } from "./run-race.js";

const contenders = 64;

test(`${contenders} processes with one key and one proof send one request`, async () => {
  const { answers, requests, states, broken } = await runRace(contenders);
  expect(broken).toEqual([]);
  expect([...requests.values()]).toEqual([1]);
  expect([...states.values()]).toEqual(["Completed"]);
  const [attempt] = requests.keys();
  for (const answer of answers) {
    // The same attempt as it ended, or honestly that its end was not seen in time.
    expect(["applied", "unknown"]).toContain(answer.classification);
    expect(answer.attempt).toBe(attempt);
  }
  expect(
    answers.filter((answer) => answer.classification === "applied" && !answer.replayed),
  ).toHaveLength(1);
}, 600_000);
