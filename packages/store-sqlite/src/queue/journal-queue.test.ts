import {
  groupCommitMax,
  journalBusyMsMax,
  journalQueueMax,
  type JournalRequest,
} from "@connectors/domain";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import type { Batch, BatchResult, LedgerThread } from "../thread/ledger-thread.js";
import { makeJournalQueue } from "./journal-queue.js";

// The queue reads nothing of a request; each is one that says which it is.
function request(text: string): JournalRequest {
  return { kind: "anchor", draft: text } as unknown as JournalRequest;
}

type Answer = BatchResult | "lost";

/** A thread whose batches are answered by the test. */
function makeScriptedThread(): LedgerThread & {
  readonly batches: Batch[];
  answer(answer: (batch: Batch) => Answer): Promise<void>;
  readonly outstanding: () => boolean;
  readonly closed: () => boolean;
} {
  const batches: Batch[] = [];
  let resolve: ((answer: Answer) => void) | undefined;
  let closed = false;
  return {
    batches,
    run: (batch) => {
      batches.push(batch);
      return new Promise((settle) => {
        resolve = settle;
      });
    },
    close: async () => {
      closed = true;
    },
    outstanding: () => resolve !== undefined,
    closed: () => closed,
    answer: async (answer) => {
      const batch = batches.at(-1);
      if (batch === undefined || resolve === undefined) throw new Error("no batch was sent");
      const settle = resolve;
      resolve = undefined;
      settle(answer(batch));
      await rest();
    },
  };
}

/** Lets every promise that can go on do so. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function makeScene() {
  const thread = makeScriptedThread();
  const ambient = makeManualAmbient();
  const queue = makeJournalQueue({ thread, ambient, defer: queueMicrotask });
  const send = (text: string, deadlineMs = 1000) => queue.transact(request(text), deadlineMs);
  return { thread, ambient, queue, send };
}

const done = (batch: Batch): BatchResult => ({
  group: {
    kind: "done",
    results: batch.requests.map((text) => ({ ok: true, value: JSON.parse(text) })),
  },
  reads: batch.queries.map(() => ({
    kind: "done",
    view: { ok: true, value: { kind: "approvers", approvers: [] } },
  })),
});

const busy = (batch: Batch): BatchResult => ({ ...done(batch), group: { kind: "busy" } });

const failureOf = async (result: Promise<{ ok: boolean }>) => {
  const outcome = (await result) as {
    ok: false;
    failure: { certainty: string; failure: { code: string } };
  };
  expect(outcome.ok).toBe(false);
  return `${outcome.failure.certainty} ${outcome.failure.failure.code}`;
};

describe("a journal's queue", () => {
  test("sends what was asked while it rested as one group, and what came under way as the next", async () => {
    const { thread, send } = makeScene();
    const first = [send("a"), send("b")];
    await rest();
    const second = [send("c"), send("d"), send("e")];
    await rest();
    expect(thread.batches.map((batch) => batch.requests.length)).toEqual([2]);
    await thread.answer(done);
    expect(await Promise.all(first)).toMatchObject([
      { value: { draft: "a" } },
      { value: { draft: "b" } },
    ]);
    await thread.answer(done);
    expect(thread.batches.map((batch) => batch.requests.length)).toEqual([2, 3]);
    expect(await Promise.all(second)).toHaveLength(3);
  });

  test("keeps a copy of a request as it was when it was asked", async () => {
    const { thread, queue } = makeScene();
    const mutable = { kind: "anchor", draft: "before" };
    const asked = queue.transact(mutable as unknown as JournalRequest, 1000);
    mutable.draft = "after";
    await rest();
    await thread.answer(done);
    expect(await asked).toMatchObject({ value: { draft: "before" } });
  });

  test("answers a read after the transactions that were asked before it", async () => {
    const { thread, queue, send } = makeScene();
    const asked = [send("a"), queue.query({ kind: "approvers" }), send("b")];
    await rest();
    expect(thread.batches[0]).toMatchObject({ queries: [{ kind: "approvers" }] });
    await thread.answer(done);
    await Promise.all(asked);
  });

  test("takes as many as fit and refuses the next, which nothing was tried of", async () => {
    const { thread, send } = makeScene();
    const asked = Array.from({ length: journalQueueMax }, (_, n) => send(`${n}`));
    expect(await failureOf(send("one past it"))).toBe("definite capacity");
    await rest();
    // Every group is as large as a group may be.
    while (thread.batches.length < journalQueueMax / groupCommitMax) await thread.answer(done);
    await thread.answer(done);
    expect(thread.batches.every((batch) => batch.requests.length === groupCommitMax)).toBe(true);
    expect(await Promise.all(asked)).toHaveLength(journalQueueMax);
  });

  test("waits for another process's write inside the deadline, and no longer", async () => {
    const { thread, ambient, send } = makeScene();
    const patient = send("patient", 1000);
    const hasty = send("hasty", 20);
    await rest();
    await thread.answer(busy);
    ambient.advance(20);
    expect(await failureOf(hasty)).toBe("definite timeout");
    await rest();
    expect(thread.batches.at(-1)?.requests).toHaveLength(1);
    await thread.answer(done);
    expect(await patient).toMatchObject({ value: { draft: "patient" } });
    expect(ambient.pendingTimers()).toBe(0);
  });

  test("gives up on a process that writes for longer than is waited for", async () => {
    const { thread, ambient, send } = makeScene();
    const asked = send("a", journalBusyMsMax * 10);
    await rest();
    await thread.answer(busy);
    for (let waitedMs = 0; waitedMs <= journalBusyMsMax; waitedMs += 50) {
      ambient.advance(50);
      await rest();
      if (thread.outstanding()) await thread.answer(busy);
    }
    expect(await failureOf(asked)).toBe("definite unavailable");
  });

  test("reads while another process writes", async () => {
    const { thread, queue, send, ambient } = makeScene();
    const write = send("a", 1000);
    await rest();
    await thread.answer(busy);
    const read = queue.query({ kind: "approvers" });
    await rest();
    expect(thread.batches.at(-1)).toMatchObject({ requests: [], queries: [{ kind: "approvers" }] });
    await thread.answer(done);
    expect(await read).toMatchObject({ ok: true });
    ambient.advance(100);
    await rest();
    await thread.answer(done);
    expect(await write).toMatchObject({ ok: true });
  });

  test("lets nobody wait past his deadline for a slow disk", async () => {
    const { thread, ambient, send } = makeScene();
    const slow = send("slow", 1000);
    await rest();
    const behind = send("behind", 30);
    ambient.advance(30);
    expect(await failureOf(behind)).toBe("definite timeout");
    // What was sent cannot be taken back: it is answered however long it takes.
    ambient.advance(5000);
    await thread.answer(done);
    expect(await slow).toMatchObject({ value: { draft: "slow" } });
  });

  test("waits for as long as it takes where a deadline is further than any timer", async () => {
    const { thread, ambient, send } = makeScene();
    const first = send("first", Infinity);
    await rest();
    const patient = send("patient", Infinity);
    ambient.advance(2 ** 31);
    await thread.answer(done);
    await thread.answer(done);
    expect(await first).toMatchObject({ ok: true });
    expect(await patient).toMatchObject({ ok: true });
    expect(ambient.pendingTimers()).toBe(0);
  });

  test("refuses at once what has no time", async () => {
    const { thread, send } = makeScene();
    expect(await failureOf(send("a", 0))).toBe("definite timeout");
    expect(await failureOf(send("b", -1))).toBe("definite timeout");
    expect(await failureOf(send("c", Number.NaN))).toBe("definite timeout");
    expect(thread.batches).toEqual([]);
  });

  test("knows nothing of a batch whose thread ended, and of what waited that it was not tried", async () => {
    const { thread, queue, send } = makeScene();
    const sent = send("sent");
    await rest();
    const waiting = send("waiting");
    await thread.answer(() => "lost");
    expect(await failureOf(sent)).toBe("ambiguous unavailable");
    expect(await failureOf(waiting)).toBe("definite unavailable");
    expect(await failureOf(send("later"))).toBe("definite unavailable");
    expect(await queue.query({ kind: "approvers" })).toMatchObject({ ok: false });
  });

  test("closes once it has answered what was asked before", async () => {
    const { thread, queue, send } = makeScene();
    const asked = send("a");
    const closing = queue.close();
    expect(await failureOf(send("late"))).toBe("definite unavailable");
    await rest();
    expect(thread.closed()).toBe(false);
    await thread.answer(done);
    expect(await asked).toMatchObject({ ok: true });
    await closing;
    await queue.close();
    expect(thread.closed()).toBe(true);
  });
});
