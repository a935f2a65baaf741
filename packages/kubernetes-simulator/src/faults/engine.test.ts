import { expect, test } from "vitest";

import { makeFaultEngine } from "./engine.js";
import type { FaultRule, RequestFacts } from "./fault.js";

const GET: RequestFacts = { method: "GET", target: "/api/v1/pods?watch=true", user: "ada" };
const PATCH: RequestFacts = { method: "PATCH", target: "/apis/apps/v1/x", user: "bob" };

test("without rules nothing goes wrong", () => {
  const engine = makeFaultEngine();
  expect(engine.before(GET)).toEqual({ kind: "none" });
  expect(engine.after(GET)).toEqual({ kind: "none" });
  expect(engine.exec(GET)).toEqual({ handshake: undefined, stream: [] });
});

test("a rule strikes the first request that it matches, once, unless it says otherwise", () => {
  const engine = makeFaultEngine([{ match: {}, fault: { kind: "reset" } }]);
  expect(engine.before(GET)).toEqual({ kind: "reset" });
  expect(engine.before(GET)).toEqual({ kind: "none" });
  expect(engine.strikes()).toEqual([1]);
});

test("nth and times say which of the matching requests are struck", () => {
  const rule: FaultRule = {
    match: { method: "PATCH", nth: 2, times: 2 },
    fault: { kind: "drop_before_commit" },
  };
  const engine = makeFaultEngine([rule]);
  const kinds = [GET, PATCH, GET, PATCH, PATCH, PATCH].map((facts) => engine.before(facts).kind);
  expect(kinds).toEqual([
    "none",
    "none",
    "none",
    "drop_before_commit",
    "drop_before_commit",
    "none",
  ]);
});

test("always has no end", () => {
  const engine = makeFaultEngine([
    { match: { nth: 3, times: "always" }, fault: { kind: "half_open" } },
  ]);
  const kinds = Array.from({ length: 6 }, () => engine.before(GET).kind);
  expect(kinds).toEqual(["none", "none", "half_open", "half_open", "half_open", "half_open"]);
});

test("a fault strikes at its own moment and is counted there", () => {
  const engine = makeFaultEngine([
    { match: {}, fault: { kind: "drop_after_commit" } },
    { match: {}, fault: { kind: "delay", ms: 5 } },
    { match: {}, fault: { kind: "delay", ms: 7, at: "after_commit" } },
  ]);
  expect(engine.before(GET)).toEqual({ kind: "delay", ms: 5 });
  expect(engine.after(GET)).toEqual({ kind: "drop_after_commit" });
  expect(engine.after(GET)).toEqual({ kind: "none" });
  expect(engine.strikes()).toEqual([1, 1, 0]);
});

test("the first of the rules that strike decides, and the others still count the request", () => {
  const engine = makeFaultEngine([
    { match: { times: 2 }, fault: { kind: "duplicate" } },
    { match: { nth: 3 }, fault: { kind: "reset" } },
  ]);
  const kinds = Array.from({ length: 4 }, () => engine.before(GET).kind);
  expect(kinds).toEqual(["duplicate", "duplicate", "reset", "none"]);
});

test("a pattern is held against the path, and against the query too if it names one", () => {
  const strikes = (pathPattern: string): boolean =>
    makeFaultEngine([{ match: { pathPattern }, fault: { kind: "reset" } }]).before(GET).kind ===
    "reset";
  expect(strikes("/api/v1/pods")).toBe(true);
  expect(strikes("/api/v1/pods?watch=true")).toBe(true);
  expect(strikes("/api/v1/pods?*watch=false*")).toBe(false);
  expect(strikes("/api/v1/nodes")).toBe(false);
});

test("a rule about a user strikes nobody else, and nobody who is not known", () => {
  const engine = makeFaultEngine([{ match: { user: "ada" }, fault: { kind: "reset" } }]);
  expect(engine.before(PATCH).kind).toBe("none");
  expect(engine.before({ method: "GET", target: "/" }).kind).toBe("none");
  expect(engine.before(GET).kind).toBe("reset");
});

test("an answer is handed over whole", () => {
  const answer = { status: 503, headers: { "retry-after": "1" }, body: "later" };
  const engine = makeFaultEngine([
    { match: {}, fault: { kind: "answer", answer } },
    { match: {}, fault: { kind: "answer_after_commit", answer } },
  ]);
  expect(engine.before(GET)).toEqual({ kind: "answer", answer });
  expect(engine.after(GET)).toEqual({ kind: "answer_after_commit", answer });
});

test("an exec gets every stream fault that strikes it, and the first break of its handshake", () => {
  const exec = { ...GET, command: ["id"] };
  const stall = {
    kind: "exec_stream",
    when: { at: "switch" },
    acts: [{ act: "stall" }],
  } as const;
  const engine = makeFaultEngine([
    { match: { command: ["id"] }, fault: stall },
    { match: { command: ["id", "-u"] }, fault: stall },
    { match: { times: "always" }, fault: stall },
    { match: {}, fault: { kind: "exec_handshake", break: "cut" } },
    { match: {}, fault: { kind: "exec_handshake", break: "reset" } },
  ]);
  const faults = engine.exec(exec);
  expect(faults.stream).toHaveLength(2);
  expect(faults.handshake).toEqual({ kind: "exec_handshake", break: "cut" });
  expect(engine.before(exec).kind).toBe("none");
  expect(engine.strikes()).toEqual([1, 0, 1, 1, 1]);
});
