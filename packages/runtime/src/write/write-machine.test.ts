import { describe, expect, test } from "vitest";
import { makeFailure } from "@connectors/sdk";
import { makeFixtureAttempt } from "../testing/journal-fixtures.js";
import { toCounter, digestOf } from "../journal/measure.js";
import { unresolvedEvidence } from "./classify-settlement.js";
import { startObserving, startWrite, stepWrite } from "./write-machine.js";
import type { Sighting, Step, StepEvents, StepStates, WriteState } from "./write-state.js";

const attempt = makeFixtureAttempt(1);
const audit = { sequence: toCounter(1), sha256: digestOf("record") };
const refusal = { failure: makeFailure("unavailable", "No."), stage: "preflight" } as const;
const evidence = unresolvedEvidence("timeout", "dispatch", "Late.", { unknownHint: "Look." });

const sightings: readonly Sighting[] = [
  { kind: "nothing" },
  { kind: "unresolved", attempt },
  { kind: "known", attempt },
  { kind: "other_request" },
  { kind: "unreadable", failure: refusal.failure },
];

/** Every way in which each step can end. */
const events: { readonly [At in Step]: readonly StepEvents[At][] } = {
  observe: sightings,
  recheck: sightings,
  verify_proof: [
    { kind: "verified", approval: null },
    { kind: "refused", refusal },
  ],
  capture: [{ kind: "captured" }, { kind: "refused", refusal }],
  anchor: [
    { kind: "anchored", audit },
    { kind: "refused", refusal },
  ],
  preflight: [{ kind: "ready" }, { kind: "refused", refusal }],
  begin: [
    { kind: "prepared", attempt },
    ...sightings.map((sighting) => ({ kind: "found", sighting }) as const),
    { kind: "refused", refusal },
    { kind: "doubtful", refusal },
  ],
  gate: [
    { kind: "opened", attempt },
    { kind: "closed", refusal },
    { kind: "conflict", attempt },
    { kind: "doubtful" },
  ],
  abort: [{ kind: "recorded", attempt }, { kind: "unrecorded" }],
  dispatch: [{ kind: "proved", evidence }],
  settle: [{ kind: "recorded", attempt }, { kind: "unrecorded" }],
  record: [
    { kind: "recorded", audit },
    { kind: "recorded", audit: null },
  ],
  wait: [
    { kind: "known", attempt },
    { kind: "unresolved", attempt },
    { kind: "ended", code: "timeout" },
  ],
};

interface Path {
  readonly steps: readonly (readonly [at: Step, event: string])[];
  readonly end: WriteState;
}

function follow<At extends Step>(at: At, state: StepStates[At]): readonly [string, WriteState][] {
  return events[at].map((event) => [event.kind, stepWrite(at, state, event)]);
}

/** Every path from `start` to an answer; a wait is looked at three times, which is as good as more. */
function listPaths(start: WriteState): readonly Path[] {
  const ended: Path[] = [];
  const open: Path[] = [{ steps: [], end: start }];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { end, steps } = path;
    if (end.at === "answer" || (end.at === "wait" && end.looks > 2)) {
      ended.push(path);
      continue;
    }
    for (const [event, next] of follow(end.at, end)) {
      open.push({ steps: [...steps, [end.at, event]], end: next });
    }
  }
  return ended;
}

const keyed = listPaths(startWrite({ keyed: true }));
const unkeyed = listPaths(startWrite({ keyed: false }));
const looks = listPaths(startObserving());
const all = [...keyed, ...unkeyed];

function stepsOf(path: Path): readonly Step[] {
  return path.steps.map(([at]) => at);
}

describe("every path of a write", () => {
  test("ends in an answer", () => {
    expect(keyed.length).toBeGreaterThan(100);
    for (const { end } of [...all, ...looks]) expect(["answer", "wait"]).toContain(end.at);
  });

  test("dispatches at most once, right after a gate that opened", () => {
    for (const path of all) {
      const at = stepsOf(path).indexOf("dispatch");
      expect(stepsOf(path).filter((step) => step === "dispatch").length).toBeLessThanOrEqual(1);
      if (at >= 0) expect(path.steps[at - 1]).toEqual(["gate", "opened"]);
    }
  });

  test("has proof, connection, anchor, preflight and begin before its gate, in this order", () => {
    const order = ["verify_proof", "capture", "anchor", "preflight", "begin", "gate"];
    for (const path of all.filter((other) => stepsOf(other).includes("gate"))) {
      const steps = stepsOf(path);
      expect(steps.slice(steps.indexOf("verify_proof")).slice(0, 6)).toEqual(order);
    }
  });

  test("that dispatches settles what was proved, and answers with it", () => {
    for (const path of all.filter((other) => stepsOf(other).includes("dispatch"))) {
      expect(stepsOf(path).slice(-2)).toEqual(["dispatch", "settle"]);
      expect(path.end).toMatchObject({ at: "answer", told: { kind: "live", evidence } });
    }
  });

  test("that ends in a refusal looked again for a winner, unless it met another request", () => {
    for (const path of all) {
      if (path.end.at !== "answer" || path.end.told.kind !== "refused") continue;
      const met = path.steps.some(([, event]) => event === "other_request" || event === "found");
      const lost = path.steps.some(([at, event]) => at === "begin" && event === "doubtful");
      expect(met || lost || stepsOf(path).includes("recheck")).toBe(true);
    }
  });

  test("with an anchor and no attempt closes its anchor, unless the store is in doubt", () => {
    for (const path of all) {
      const anchored = path.steps.some(([at, event]) => at === "anchor" && event === "anchored");
      const begun = path.steps.some(([at, event]) => at === "begin" && event === "prepared");
      const doubt = path.steps.some(([, event]) => event === "doubtful" || event === "unreadable");
      if (!anchored || begun || doubt) continue;
      const unreadable = path.end.at === "answer" && path.end.told.kind === "unresolved";
      expect(unreadable || stepsOf(path).includes("record")).toBe(true);
    }
  });

  test("whose gate is in doubt is unknown, and aborts nothing", () => {
    for (const path of all) {
      if (!path.steps.some(([at, event]) => at === "gate" && event === "doubtful")) continue;
      expect(stepsOf(path)).not.toContain("abort");
      expect(path.end).toMatchObject({ told: { kind: "unresolved", stage: "attempt_store" } });
    }
  });
});

describe("a look alone", () => {
  test("takes no step of a write", () => {
    const steps = new Set(looks.flatMap(stepsOf));
    expect([...steps].toSorted()).toEqual(["observe", "record", "wait"]);
  });

  test("that finds nothing says so", () => {
    expect(looks.some(({ end }) => end.at === "answer" && end.told.kind === "nothing")).toBe(true);
    expect(all.some(({ end }) => end.at === "answer" && end.told.kind === "nothing")).toBe(false);
  });
});
