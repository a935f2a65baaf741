import { execBounds } from "./exec-bounds.js";

/** One command as its container saw it: the witness of what was really run. */
export interface CommandRecord {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly user: string;
  readonly startedAtMs: number;
  /** Absent while it runs. */
  readonly endedAtMs?: number;
  /** Absent while it runs; 128 and the signal's number for a command that a signal ended. */
  readonly exitCode?: number;
}

/** The commands that were started, the oldest first. */
export interface CommandLog {
  /** Adds a command that was just started; the returned function says how it ended, once. */
  readonly started: (record: CommandRecord) => (endedAtMs: number, exitCode: number) => void;
  readonly list: () => readonly CommandRecord[];
  /** How many records were dropped to keep the newest. */
  readonly droppedCount: () => number;
}

/** An empty log. */
export function makeCommandLog(recordsMax: number = execBounds.commandRecordsMax): CommandLog {
  const records: CommandRecord[] = [];
  let dropped = 0;
  return {
    started: (record) => {
      records.push(record);
      if (records.length > recordsMax) {
        records.shift();
        dropped += 1;
      }
      let running: CommandRecord | undefined = record;
      return (endedAtMs, exitCode) => {
        const at = running === undefined ? -1 : records.indexOf(running);
        if (at >= 0) records[at] = { ...record, endedAtMs, exitCode };
        running = undefined;
      };
    },
    list: () => [...records],
    droppedCount: () => dropped,
  };
}
