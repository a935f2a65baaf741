import {
  auditRefusalsPerSecond,
  journalBusyMsMax,
  type AuditDraft,
  type AuditPosition,
} from "@connectors/domain";
import type { Ambient } from "@connectors/sdk";
import type { Journal } from "../journal/journal.js";
import { toCounter, toTimeMs } from "../journal/measure.js";

/**
 * Writes down what was refused before an anchor, at most so many a second and caller; those beyond
 * are counted and written as one, so that nobody fills the store by knocking.
 */
export interface RefusalLog {
  /** Where the refusal is recorded; null when it was only counted, or could not be recorded. */
  record(draft: AuditDraft): Promise<AuditPosition | null>;
  /** Writes what was only counted so far. */
  flush(): Promise<void>;
}

const windowMs = 1000;

interface Window {
  readonly startMs: number;
  recorded: number;
  /** How many were only counted, and the latest of them. */
  count: number;
  latest: AuditDraft | null;
  cancelTimer: () => void;
}

/** A log of refusals into this journal. */
export function makeRefusalLog(
  journal: Journal,
  ambient: Pick<Ambient, "clock" | "timers">,
): RefusalLog {
  const windows = new Map<string | null, Window>();

  async function write(draft: AuditDraft): Promise<AuditPosition | null> {
    const request = { kind: "refusal", draft } as const;
    const answer = await journal.transact(request, { deadlineMs: journalBusyMsMax });
    return answer.ok && answer.value.kind === "done" ? answer.value.audit : null;
  }

  // Taken away before anything is awaited, so that no count is written twice.
  async function close(caller: string | null): Promise<void> {
    const window = windows.get(caller);
    windows.delete(caller);
    window?.cancelTimer();
    if (window === undefined || window.latest === null) return;
    const at_ms = toTimeMs(ambient.clock.nowMs());
    await write({ ...anonymous(window.latest), at_ms, count: toCounter(window.count) });
  }

  function openWindow(caller: string | null, startMs: number): Window {
    const cancelTimer = (): void => undefined;
    const window: Window = { startMs, recorded: 0, count: 0, latest: null, cancelTimer };
    windows.set(caller, window);
    return window;
  }

  return {
    async record(draft) {
      const { caller } = draft;
      const nowMs = ambient.clock.monotonicMs();
      const current = windows.get(caller);
      const over = current !== undefined && nowMs - current.startMs >= windowMs;
      const closed = over ? close(caller) : undefined;
      const window = over || current === undefined ? openWindow(caller, nowMs) : current;
      if (window.recorded < auditRefusalsPerSecond) {
        window.recorded += 1;
        await closed;
        return write({ ...draft, count: toCounter(1) });
      }
      if (window.count === 0) {
        window.cancelTimer = ambient.timers.after(windowMs, () => void close(caller));
      }
      window.count += 1;
      window.latest = draft;
      return null;
    },
    async flush() {
      for (const caller of windows.keys()) await close(caller);
    },
  };
}

// Many refusals in one record have their caller in common, and nothing else.
function anonymous(draft: AuditDraft): AuditDraft {
  return {
    ...draft,
    instance: null,
    operation: null,
    subject_sha256: null,
    policy_revision: null,
    code: null,
    stage: null,
    reason: null,
    classification: null,
  };
}
