import type { Duplex } from "node:stream";

import type { FaultAnswer, FaultDecision } from "../faults/fault.js";
import type { ExchangeContext } from "./exchange-context.js";
import type { RecordHandle } from "./request-log.js";

/** What a fault acts on: a connection, and the way to answer over it. */
export interface FaultSite {
  readonly socket: Duplex;
  readonly answer: (answer: FaultAnswer) => void;
}

/** Does what a script decided; false when the request is over with that. */
export async function surviveFault(
  context: ExchangeContext,
  record: RecordHandle,
  decision: FaultDecision,
  site: FaultSite,
): Promise<boolean> {
  if (decision.kind !== "none") record.noteFault(decision.kind);
  switch (decision.kind) {
    case "none":
    case "duplicate":
      return true;
    case "delay":
      await new Promise<void>((resolve) => {
        context.surroundings.timers.after(decision.ms, resolve);
      });
      return true;
    case "drop_before_commit":
    case "drop_after_commit":
      site.socket.destroy();
      return false;
    case "reset":
      context.reset(site.socket);
      return false;
    case "half_open":
      return false;
    case "answer":
    case "answer_after_commit":
      record.note({ status: decision.answer.status });
      site.answer(decision.answer);
      return false;
  }
}
