import type { ExecStreamFault, StreamAct } from "../faults/exec-fault.js";
import type { Timers } from "../ports.js";

/** The faults of one stream, waiting for their moments. */
export interface StreamFaults {
  /** One of the stream's own moments has come. */
  readonly reach: (moment: "switch" | "before_status" | "after_status") => void;
  /** One more message of output has been sent. */
  readonly messageSent: () => void;
  /** Whether acts are under way, or the stream has been stalled: it must not go on by itself. */
  readonly isHeld: () => boolean;
  /** Calls off what has not happened yet. */
  readonly stop: () => void;
}

/** What faults are done by. */
export interface FaultStage {
  readonly faults: readonly ExecStreamFault[];
  readonly timers: Timers;
  /** Does one act; waits and stalls are not among them. */
  readonly perform: (act: StreamAct) => void;
  /** Acts that took time are over: the stream may go on. */
  readonly released: () => void;
}

/** Faults that strike when their moments are reported. */
export function makeStreamFaults(stage: FaultStage): StreamFaults {
  const cancels = new Set<() => void>();
  let holds = 0;
  let messages = 0;
  let stopped = false;

  const later = (ms: number, task: () => void): void => {
    const cancel = stage.timers.after(ms, () => {
      cancels.delete(cancel);
      task();
    });
    cancels.add(cancel);
  };

  // Performs acts from `at` on; true when it got to their end without waiting.
  const run = (acts: readonly StreamAct[], at: number): boolean => {
    for (const [index, act] of acts.slice(at).entries()) {
      if (stopped) return false;
      if (act.act === "wait") {
        later(act.ms, () => {
          if (!run(acts, at + index + 1)) return;
          holds -= 1;
          stage.released();
        });
        return false;
      }
      if (act.act === "stall") return false;
      stage.perform(act);
      if (act.act === "half_open") return false;
    }
    return true;
  };

  const strike = (fault: ExecStreamFault): void => {
    holds += 1;
    if (run(fault.acts, 0)) holds -= 1;
  };

  return {
    reach: (moment) => {
      for (const fault of stage.faults) {
        const { when } = fault;
        if (moment === "switch" && when.at === "elapsed") later(when.ms, () => strike(fault));
        if (when.at === moment) strike(fault);
      }
    },
    messageSent: () => {
      messages += 1;
      for (const fault of stage.faults) {
        if (fault.when.at === "messages" && fault.when.count === messages) strike(fault);
      }
    },
    isHeld: () => holds > 0,
    stop: () => {
      stopped = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
