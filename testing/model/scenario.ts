/** One caller's write: where it runs, and what it shares with the others. */
export interface WriteSpec {
  /** The process that runs it. */
  readonly process: number;
  /** The caller's key, or null for an operation without keys. */
  readonly key: string | null;
  /** Equal for requests that are equal. */
  readonly request: string;
  /** The number of its proof; two writes with one number show one proof. */
  readonly proof: number;
  /** The day on which its proof was signed, and it may begin. */
  readonly day: 0 | 1;
}

/** The bounds of one exploration. */
export interface Scenario {
  readonly name: string;
  readonly writes: readonly WriteSpec[];
  /** How many processes may be killed. */
  readonly crashes: number;
  /** How many commits, or reads, may go wrong. */
  readonly faults: number;
  /** A day may pass, at any moment, so that a key's retention ends. */
  readonly dayPasses: boolean;
  /** The approver's key may be revoked, at any moment. */
  readonly revocation: boolean;
  /** A process may lose its lock while it lives, as a session of a network database can. */
  readonly locksFail: boolean;
}

/** The keeper is a process of its own, which recovers and writes nothing. */
export const keeper = 3;

const first: WriteSpec = { process: 1, key: "order-17", request: "restart", proof: 1, day: 0 };
const other: WriteSpec = { ...first, process: 2, proof: 2 };
const plain = {
  crashes: 2,
  faults: 2,
  dayPasses: false,
  revocation: false,
  locksFail: false,
} as const;

/** Two owners, two callers, one key and two keys, proofs shared and not, and what can befall them. */
export const scenarios: readonly Scenario[] = [
  { ...plain, name: "one key, two processes, a proof each", writes: [first, other] },
  { ...plain, name: "one key, one proof, two processes", writes: [first, { ...other, proof: 1 }] },
  {
    ...plain,
    name: "one key, two different requests",
    writes: [first, { ...other, request: "scale" }],
  },
  {
    ...plain,
    name: "two keys, one proof",
    writes: [first, { ...other, key: "order-1", proof: 1 }],
  },
  {
    ...plain,
    name: "two keys, a proof each",
    writes: [first, { ...other, key: "order-1" }],
  },
  {
    ...plain,
    name: "no keys, one proof",
    writes: [
      { ...first, key: null },
      { ...other, key: null, proof: 1 },
    ],
  },
  {
    ...plain,
    name: "one key, two callers of one process",
    writes: [first, { ...other, process: 1 }],
  },
  {
    ...plain,
    name: "one key, three callers, two of them with one proof",
    faults: 1,
    writes: [first, other, { ...other, process: 1 }],
  },
  {
    ...plain,
    name: "one key, used again after a day",
    dayPasses: true,
    writes: [first, { ...other, day: 1 }],
  },
  {
    ...plain,
    name: "a key revoked at any moment",
    revocation: true,
    writes: [first, { ...other, key: null }],
  },
  {
    ...plain,
    name: "a lock lost while its process lives",
    locksFail: true,
    crashes: 1,
    writes: [first, other],
  },
];
