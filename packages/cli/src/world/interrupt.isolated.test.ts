import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultRule } from "@connectors/kubernetes-simulator";
import {
  answerOf,
  bothWrites,
  failureOf,
  openCommandRig,
  restartNow,
  type CommandRig,
} from "../testing/command-rig.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig.close());
afterEach(() => rig.simulator.faults.use([]));

const json = ["-o", "json"];
const patience = { timeout: 20_000 };
const identity = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const access = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly dispatched_at_ms: number | null;
}

async function attempts(): Promise<readonly Listed[]> {
  const { stdout } = await rig.runHere(["attempts", "list", "--limit", "1000", ...json]);
  return JSON.parse(stdout) as readonly Listed[];
}

function seen(method: string, path = "*"): number {
  const matches = rig.simulator
    .requests()
    .filter((request) => request.method === method && (path === "*" || request.path === path));
  return matches.length;
}

const halfOpen = (match: FaultRule["match"]): FaultRule => {
  return { match: { ...match, times: "always" }, fault: { kind: "half_open" } };
};

describe("before the gate a signal ends a write with 130, and nothing was sent", () => {
  test.each<[NodeJS.Signals, string, string]>([
    ["SIGINT", "who it is", identity],
    ["SIGTERM", "who it is", identity],
    ["SIGINT", "what is granted", access],
  ])("%s while the cluster is asked %s", async (signal, what, path) => {
    const write = await rig.approved(`${signal} ${what}.json`, restartNow);
    const [patches, asked, before] = [seen("PATCH"), seen("POST", path), (await attempts()).length];
    rig.simulator.faults.use([halfOpen({ pathPattern: path })]);
    const running = rig.start(write);
    await expect.poll(() => seen("POST", path), patience).toBeGreaterThan(asked);
    running.kill(signal);
    const ended = await running.ended;
    expect(answerOf(ended)).toMatchObject({
      classification: "not_attempted",
      failure: { code: "interrupted", effect: "none" },
    });
    expect(ended.code).toBe(130);
    rig.simulator.faults.use([]);
    expect(seen("PATCH")).toBe(patches);
    expect(await attempts()).toHaveLength(before);
    // The proof was not spent: the same write can still be made.
    expect((await rig.run(write)).code).toBe(0);
  });
});

describe("after the gate a signal changes nothing", () => {
  test("the first says that it was sent, and the answer is waited for", async () => {
    const write = await rig.approved("waits.json", restartNow);
    const patches = seen("PATCH");
    rig.simulator.faults.use([
      { match: { method: "PATCH" }, fault: { kind: "delay", at: "after_commit", ms: 1500 } },
    ]);
    const running = rig.start(write);
    await expect.poll(() => seen("PATCH"), patience).toBe(patches + 1);
    running.kill("SIGINT");
    const ended = await running.ended;
    expect(ended.stderr).toMatch(/sent, waiting \d+ s at most \(again to leave with 3\)/);
    expect(answerOf(ended)).toMatchObject({ classification: "applied", replayed: false });
    expect(ended.code).toBe(0);
    const [attempt] = await attempts();
    expect(attempt?.state).toBe("Completed");
  });

  test("the second leaves with 3, and the next command closes it as unknown", async () => {
    const write = await rig.approved("leaves.json", restartNow);
    const patches = seen("PATCH");
    rig.simulator.faults.use([halfOpen({ method: "PATCH" })]);
    const running = rig.start(write);
    await expect.poll(() => seen("PATCH"), patience).toBe(patches + 1);
    running.kill("SIGTERM");
    await expect.poll(() => running.stderr(), patience).toContain("sent, waiting");
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 3 });
    rig.simulator.faults.use([]);
    const [attempt] = await attempts();
    expect(attempt?.state).toBe("Indeterminate");
    const again = await rig.run(write);
    expect(answerOf(again)).toMatchObject({ classification: "unknown" });
    expect(again.code).toBe(3);
    expect(seen("PATCH")).toBe(patches + 1);
  });
});

test("whenever a signal comes, the exit code and the ledger say what the cluster saw", async () => {
  const moments = 8;
  const whole = await rig.approved("whole.json", restartNow);
  const began = performance.now();
  expect((await rig.run(whole)).code).toBe(0);
  const tookMs = performance.now() - began;
  const sentBefore = (await attempts()).filter((each) => each.dispatched_at_ms !== null).length;
  const patches = seen("PATCH");
  for (let moment = 0; moment < moments; moment += 1) {
    const write = await rig.approved(`moment-${moment}.json`, restartNow);
    const before = seen("PATCH");
    const running = rig.start(write);
    const due = (tookMs * (moment + 0.5)) / moments;
    const timer = setTimeout(() => running.kill("SIGINT"), due);
    const { code, signal } = await running.ended;
    clearTimeout(timer);
    // Killed by the signal itself: it came before anything listened, or after everything was done.
    const said = signal === "SIGINT" ? 130 : code;
    expect([0, 130], `moment ${moment}`).toContain(said);
    expect(seen("PATCH") - before, `moment ${moment}`).toBe(said === 0 ? 1 : 0);
  }
  const states = await attempts();
  const sent = states.filter((each) => each.dispatched_at_ms !== null);
  expect(sent.length - sentBefore).toBe(seen("PATCH") - patches);
  expect(states.filter(({ state }) => ["Prepared", "Dispatching"].includes(state))).toEqual([]);
}, 60_000);

describe("other commands", () => {
  test("that read stdin stop reading, with 130", async () => {
    const words = ["prepare", "dev/pods.exec", "--input", "-", "-v", ...json];
    const running = rig.start(words, { stdinOpen: true });
    await expect.poll(() => running.stderr(), patience).toContain("… reading the input");
    running.kill("SIGINT");
    const ended = await running.ended;
    expect(failureOf(ended)).toMatchObject({ code: "interrupted", effect: "none" });
    expect(ended.code).toBe(130);
  });

  test("that ask a cluster stop asking, with 130, and write nothing", async () => {
    rig.simulator.faults.use([halfOpen({ pathPattern: identity })]);
    const asked = seen("POST", identity);
    const file = rig.file("cluster.yaml");
    const add = ["adapters", "add", "kubernetes", "late", "--kubeconfig", file, ...bothWrites];
    const running = rig.start([...add, ...json]);
    await expect.poll(() => seen("POST", identity), patience).toBeGreaterThan(asked);
    running.kill("SIGINT");
    const ended = await running.ended;
    expect(failureOf(ended)).toMatchObject({ code: "interrupted", effect: "none" });
    expect(ended.code).toBe(130);
    expect((await rig.runHere(["adapters", "list", ...json])).stdout).not.toContain('"late"');
  });

  test("that follow the ledger end with 0", async () => {
    const running = rig.start(["attempts", "watch", "-o", "jsonl"]);
    let output = "";
    await expect.poll(() => (output = running.stdout()), patience).toContain('"state":"Completed"');
    running.kill("SIGINT");
    expect((await running.ended).code).toBe(0);
    for (const line of output.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("id");
  });
});
