import { deadlineMarginMs } from "@connectors/domain";
import { succeed } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import {
  commit,
  freeze,
  letRun,
  openRig,
  passTimeUntil,
  patience,
  runRequest,
} from "../testing/host-rig.js";
import { appliedWith, scriptedPlace } from "../testing/scripted-provider.js";

const never = <T>(): Promise<T> => new Promise(() => undefined);

describe("a deadline", () => {
  test("of less than the provider's time and a second is invalid_input", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig, runRequest);
    const leastMs = 10_000 + deadlineMarginMs;
    expect(frozen.limits).toEqual({ executionMs: 15_000, providerMs: 10_000 });
    for (const deadlineMs of [leastMs - 1, 0, -1, 1.5, Number.NaN]) {
      expect(await commit(rig, frozen, { deadlineMs })).toMatchObject({
        classification: "not_attempted",
        failure: { code: "invalid_input" },
        cause: { stage: "admission" },
      });
    }
    expect((await commit(rig, frozen, { deadlineMs: leastMs })).classification).toBe("applied");
  });

  test("shortens the total, and never lengthens it", async () => {
    for (const [deadlineMs, endsAtMs] of [
      [16_000, 16_000],
      [20_000, 20_000],
      [600_000, 20_000],
    ] as const) {
      const rig = await openRig();
      rig.provider.script.preflight = never;
      const start = rig.ambient.clock.monotonicMs();
      const work = commit(rig, await freeze(rig), { deadlineMs });
      await passTimeUntil(rig.ambient, work);
      expect(rig.ambient.clock.monotonicMs() - start).toBe(endsAtMs);
    }
  });

  test("ends a review that hangs, and a preflight that hangs: nothing was sent", async () => {
    for (const [point, stage] of [
      ["review", "connection"],
      ["preflight", "preflight"],
    ] as const) {
      const rig = await openRig();
      rig.provider.script[point] = never;
      const answer = await passTimeUntil(rig.ambient, commit(rig, await freeze(rig)));
      expect(answer).toMatchObject({
        classification: "not_attempted",
        failure: { code: "timeout", retry: "safe" },
        cause: { code: "timeout", stage },
      });
      expect(rig.provider.seen.dispatches).toEqual([]);
    }
  });

  test("lets go of what comes after it: a late connection, a late preparation", async () => {
    for (const point of ["review", "preflight"] as const) {
      const rig = await openRig();
      let arrive = (): void => undefined;
      const late = new Promise<void>((resolve) => (arrive = resolve));
      rig.provider.script.review = async () => {
        if (point === "review") await late;
        return succeed(scriptedPlace.username);
      };
      rig.provider.script.preflight = async () => {
        if (point === "preflight") await late;
        return succeed(null);
      };
      await passTimeUntil(rig.ambient, commit(rig, await freeze(rig)));
      arrive();
      await letRun();
      expect(rig.provider.seen.disposals).toBe(1);
      expect(rig.provider.seen.cancels).toBe(point === "preflight" ? 1 : 0);
      expect(rig.provider.seen.dispatches).toEqual([]);
    }
  });

  test("with less than the provider's time left at the gate aborts", async () => {
    const rig = await openRig();
    rig.provider.script.preflight = () => {
      rig.ambient.advance(5001);
      return Promise.resolve(succeed(null));
    };
    const frozen = await freeze(rig);
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "not_attempted",
      failure: { code: "timeout", retry: "new_key" },
      cause: { code: "timeout", stage: "attempt_store" },
      attempt: { state: "Aborted" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
    const just = await openRig();
    just.provider.script.preflight = () => {
      just.ambient.advance(5000);
      return Promise.resolve(succeed(null));
    };
    expect((await commit(just, await freeze(just))).classification).toBe("applied");
  });

  test("that passes between gate and send is refused: nothing was sent", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.after("gate", () => rig.ambient.advance(20_000));
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "refused",
      failure: { code: "timeout", effect: "none", retry: "new_key" },
      cause: { code: "timeout", stage: "dispatch" },
      attempt: { state: "Failed" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });

  test("that passes before the answer withholds the result; the ledger is right", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.after("settle", () => rig.ambient.advance(20_000));
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "applied",
      result: null,
      failure: { code: "timeout", effect: "applied", retry: "never" },
      cause: { code: "timeout", stage: "response" },
      attempt: { state: "Completed" },
    });
    expect(await frozen.observe()).toMatchObject({
      classification: "applied",
      result: { changed: "api" },
      cause: null,
      replayed: true,
    });
  });

  test("of a frozen write counts until the gate: expired in between is refused", async () => {
    for (const kind of ["begin", "gate"] as const) {
      const rig = await openRig();
      const frozen = await freeze(rig, { validMs: 3000 });
      const proof = rig.prove(frozen);
      if (kind === "begin") {
        rig.provider.script.preflight = () => {
          rig.ambient.advance(3000);
          return Promise.resolve(succeed(null));
        };
      } else rig.tap.after("begin", () => rig.ambient.advance(3000));
      const answer = await frozen.commit({ proof, signal: patience() });
      expect(answer).toMatchObject({
        classification: "not_attempted",
        failure: { code: "approval_refused", reason: "expired" },
        cause: { stage: "attempt_store" },
      });
      expect(rig.provider.seen.dispatches).toEqual([]);
    }
  });
});

describe("a provider's own time", () => {
  test("is told to the adapter by its signal, and its word still counts", async () => {
    const rig = await openRig();
    rig.provider.script.settle = (_input, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(appliedWith({ changed: "late" })));
      });
    const start = rig.ambient.clock.monotonicMs();
    const answer = await passTimeUntil(rig.ambient, commit(rig, await freeze(rig)));
    expect(answer).toMatchObject({ classification: "applied", result: { changed: "late" } });
    expect(rig.ambient.clock.monotonicMs() - start).toBe(15_000);
  });

  test("and a second more is all that is waited for: then it is unknown", async () => {
    const rig = await openRig();
    rig.provider.script.settle = never;
    const start = rig.ambient.clock.monotonicMs();
    const frozen = await freeze(rig);
    const answer = await passTimeUntil(rig.ambient, commit(rig, frozen));
    expect(answer).toMatchObject({
      classification: "unknown",
      cause: { code: "timeout", stage: "dispatch" },
      attempt: { state: "Indeterminate" },
    });
    expect(rig.ambient.clock.monotonicMs() - start).toBe(16_000);
    expect(rig.ambient.pendingTimers()).toBe(0);
  });

  test("is narrowed by what one input may take", async () => {
    const rig = await openRig();
    rig.provider.script.settle = never;
    const input = { ...runRequest.input, timeout_seconds: 3 };
    const start = rig.ambient.clock.monotonicMs();
    const work = commit(rig, await freeze(rig, { ...runRequest, input }));
    await passTimeUntil(rig.ambient, work);
    expect(rig.ambient.clock.monotonicMs() - start).toBe(4000);
  });
});

describe("an interruption", () => {
  test.each(["review", "preflight"] as const)("during the %s sends nothing", async (point) => {
    const rig = await openRig();
    const controller = new AbortController();
    const hang = (): Promise<never> => {
      controller.abort();
      return never();
    };
    rig.provider.script[point] = hang;
    const answer = await commit(rig, await freeze(rig), { signal: controller.signal });
    expect(answer).toMatchObject({
      classification: "not_attempted",
      failure: { code: "interrupted", effect: "none" },
      cause: { code: "interrupted" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });

  test("between begin and gate aborts", async () => {
    const rig = await openRig();
    const controller = new AbortController();
    const frozen = await freeze(rig);
    rig.tap.after("begin", () => controller.abort());
    const answer = await commit(rig, frozen, { signal: controller.signal });
    expect(answer).toMatchObject({
      classification: "not_attempted",
      failure: { code: "interrupted" },
      attempt: { state: "Aborted" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });

  test("before a commit sends nothing, and a known key answers all the same", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const signal = AbortSignal.abort();
    expect(await commit(rig, frozen, { signal })).toMatchObject({
      failure: { code: "interrupted" },
    });
    await commit(rig, await freeze(rig));
    const again = await freeze(rig);
    expect(await commit(rig, again, { signal })).toMatchObject({
      classification: "applied",
      replayed: true,
    });
  });

  test("from the gate on changes nothing: the work is settled, though nobody waits", async () => {
    const rig = await openRig();
    const controller = new AbortController();
    let answerProvider = (): void => undefined;
    rig.provider.script.settle = (_input, signal) =>
      new Promise((resolve) => {
        answerProvider = () => {
          expect(signal.aborted).toBe(false);
          resolve(appliedWith({ changed: "api" }));
        };
      });
    const frozen = await freeze(rig);
    const work = commit(rig, frozen, { signal: controller.signal });
    await letRun();
    expect(rig.host.inFlight()).toHaveLength(1);
    const [flight] = rig.host.inFlight();
    expect(flight?.remainingMs).toBe(20_000);
    controller.abort();
    await letRun();
    expect(rig.host.inFlight()).toHaveLength(1);
    let settled = false;
    const settling = rig.host.settled().then(() => (settled = true));
    await letRun();
    expect(settled).toBe(false);
    answerProvider();
    await settling;
    expect(await work).toMatchObject({ classification: "applied" });
    expect(rig.host.inFlight()).toEqual([]);
    const shown = await rig.host.attempts.show(flight?.attempt ?? "");
    expect(shown.ok && shown.value.attempt.state).toBe("Completed");
  });

  test("leaves no timer and no listener behind", async () => {
    const rig = await openRig();
    await commit(rig, await freeze(rig));
    expect(rig.ambient.pendingTimers()).toBe(0);
  });
});
