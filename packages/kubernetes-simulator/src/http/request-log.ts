import { simulatorBounds } from "../bounds.js";

/** What the server saw of one request, and did with it. */
export interface RequestRecord {
  /** 1 for the first request of the simulator's life. */
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Who asked; absent while nobody has been authenticated. */
  readonly user?: string;
  readonly auditId: string;
  /** The body's text, whole; absent while it has not been read. */
  readonly body?: string;
  /** The code that was decided on, sent or not; absent while the request is under way. */
  readonly status?: number;
  /** Whether the request got as far as being executed, and how often. */
  readonly executions: number;
  /** What a fault script did to the request, by the name of its decision. */
  readonly faults: readonly string[];
}

/** A log of the last requests. */
export interface RequestLog {
  readonly records: () => readonly RequestRecord[];
  /** Requests since the simulator was opened, dropped ones included. */
  readonly total: () => number;
  readonly clear: () => void;
  /** Begins a record; the returned handle brings it up to date. */
  readonly begin: (start: Omit<RequestRecord, "number" | "executions" | "faults">) => RecordHandle;
}

/** One request's record, while the request is under way. */
export interface RecordHandle {
  readonly note: (change: Partial<Pick<RequestRecord, "user" | "body" | "status">>) => void;
  readonly noteExecution: () => void;
  readonly noteFault: (name: string) => void;
}

// Headers that prove who somebody is are never kept.
const SECRET_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie"]);

interface LoggedRecord {
  current: RequestRecord;
  letters: number;
}

/** How many records a log keeps, and how many letters of them. */
export interface LogBounds {
  readonly requestRecordsMax: number;
  readonly requestRecordLettersMax: number;
}

/** An empty log. */
export function makeRequestLog(bounds: LogBounds = simulatorBounds): RequestLog {
  let records: LoggedRecord[] = [];
  let letters = 0;
  let total = 0;
  // By halves, so that logging costs the same whether the log is full or not.
  const trim = (): void => {
    while (
      records.length > bounds.requestRecordsMax ||
      (letters > bounds.requestRecordLettersMax && records.length > 1)
    ) {
      records = records.slice((records.length + 1) >> 1);
      letters = records.reduce((sum, record) => sum + record.letters, 0);
    }
  };
  return {
    records: () => records.map(({ current }) => current),
    total: () => total,
    clear: () => {
      records = [];
      letters = 0;
    },
    begin: (start) => {
      total += 1;
      const current: RequestRecord = {
        ...start,
        number: total,
        headers: withoutSecrets(start.headers),
        executions: 0,
        faults: [],
      };
      const entry: LoggedRecord = { current, letters: JSON.stringify(current).length };
      records.push(entry);
      letters += entry.letters;
      trim();
      const update = (change: Partial<RequestRecord>): void => {
        entry.current = { ...entry.current, ...change };
        const more = change.body?.length ?? 0;
        const isDropped = entry.current.number < (records[0]?.current.number ?? total + 1);
        if (more === 0 || isDropped) return;
        entry.letters += more;
        letters += more;
        trim();
      };
      return {
        note: update,
        noteExecution: () => {
          update({ executions: entry.current.executions + 1 });
        },
        noteFault: (name) => {
          update({ faults: [...entry.current.faults, name] });
        },
      };
    },
  };
}

function withoutSecrets(headers: RequestRecord["headers"]): RequestRecord["headers"] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase())),
  );
}
