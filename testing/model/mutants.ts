import type { Attempt, JournalRequest, KeyNamespace } from "@connectors/domain";
import {
  journalMachine,
  stepWrite,
  type JournalMachine,
  type Rows,
  type RowWrite,
  type Step,
  type StepEvents,
  type StepStates,
  type WriteState,
} from "@connectors/runtime";
import { fixtureTime, makeFixtureOutcome } from "@connectors/runtime/testing";
import { makeFailure } from "@connectors/sdk";
import { namespaceOf } from "./model-requests.js";
import { realRules, sightNamespace, type Rules } from "./rules.js";

/** One seeded bug: the rules with it, the scenario that shows it, and what it breaks there. */
export interface Mutant {
  readonly name: string;
  readonly rules: Rules;
  readonly scenario: string;
  readonly breaks: string;
}

type Kind = JournalRequest["kind"];

// The machine, with other rows shown to one kind of transaction.
function withRows(kind: Kind, change: (rows: Rows) => Rows): Rules {
  return withMachine((request, rows) =>
    journalMachine.decide(request, request.kind === kind ? change(rows) : rows),
  );
}

// The machine, with other writes than one kind of transaction decided.
function withWrites(kind: Kind, change: (write: RowWrite) => readonly RowWrite[]): Rules {
  return withMachine((request, rows) => {
    const decision = journalMachine.decide(request, rows);
    if (request.kind !== kind) return decision;
    return { ...decision, writes: decision.writes.flatMap(change) };
  });
}

function withMachine(decide: JournalMachine["decide"]): Rules {
  return { ...realRules, machine: { ...journalMachine, decide } };
}

// The rows as they were when the attempt had this state.
function backTo(state: "Prepared" | "Dispatching", rows: Rows): Rows {
  if (rows.attempt === null) return rows;
  return {
    ...rows,
    attempt: reopen(state, rows.attempt),
    owner: rows.owner === null ? null : { ...rows.owner, state: "live" },
    reservation:
      rows.reservation === null
        ? null
        : { ...rows.reservation, state: "Pending", expires_at_ms: null },
  };
}

function reopen(state: "Prepared" | "Dispatching", attempt: Attempt): Attempt {
  const dispatched = state === "Prepared" ? null : (attempt.dispatched_at_ms ?? fixtureTime());
  return { ...attempt, state, dispatched_at_ms: dispatched, settled_at_ms: null, outcome: null };
}

// The write's machine, with another way out of some step.
function withStep(
  leave: (state: StepStates[Step], event: StepEvents[Step]) => WriteState | undefined,
): Rules["step"] {
  return (at, state, event) => leave(state, event) ?? stepWrite(at, state, event);
}

function isUnheard(event: StepEvents[Step]): boolean {
  return "evidence" in event && event.evidence.kept.classification === "unknown";
}

function findByPrefix(ledgerKeys: Iterable<KeyNamespace>, namespace: string): KeyNamespace | null {
  const open = namespace.slice(0, namespace.lastIndexOf('"'));
  for (const key of ledgerKeys) {
    if (key.startsWith(open)) return key;
  }
  return null;
}

const failure = makeFailure("timeout", "No answer came.");

/** Bugs that someone could write, each with the promise that it breaks. */
export const mutants: readonly Mutant[] = [
  {
    name: "the gate opens without looking at the attempt's state",
    rules: withRows("gate", (rows) => backTo("Prepared", rows)),
    scenario: "a lock lost while its process lives",
    breaks: "an attempt's record was rewritten",
  },
  {
    name: "begin spends no proof",
    rules: withWrites("begin", (write) => (write.kind === "insert_spend" ? [] : [write])),
    scenario: "no keys, one proof",
    breaks: "a proof has two attempts",
  },
  {
    name: "begin does not look for its key's winner",
    rules: withRows("begin", (rows) => ({ ...rows, reservation: null, attempt: null })),
    scenario: "one key, two processes, a proof each",
    breaks: "a live key has two attempts",
  },
  {
    name: "a refusal frees its key at once",
    rules: withWrites("settle", (write) =>
      write.kind === "put_reservation" && write.reservation.state === "Replayable"
        ? [
            {
              ...write,
              reservation: { ...write.reservation, state: "Expired", expires_at_ms: null },
            },
          ]
        : [write],
    ),
    scenario: "one key, two processes, a proof each",
    breaks: "a live key has two attempts",
  },
  {
    name: "recovery takes a silent process for dead",
    rules: { ...realRules, mayRecover: (process) => process.lock !== "gone" },
    scenario: "two keys, a proof each",
    breaks: "a living process was declared dead",
  },
  {
    name: "recovery takes what may have been sent for never sent",
    rules: withRows("recover", (rows) => ({
      ...rows,
      openAttempts: rows.openAttempts.map(({ attempt, reservation }) => {
        return { attempt: reopen("Prepared", attempt), reservation };
      }),
    })),
    scenario: "two keys, a proof each",
    breaks: "an attempt's record was rewritten",
  },
  {
    name: "recovery sends what was prepared",
    rules: { ...realRules, recoveryResumes: true },
    scenario: "two keys, a proof each",
    breaks: "the ledger says Aborted, and the wire says otherwise",
  },
  {
    name: "a settlement overwrites what was settled",
    rules: withRows("settle", (rows) => backTo("Dispatching", rows)),
    scenario: "a lock lost while its process lives",
    breaks: "an attempt's record was rewritten",
  },
  {
    name: "an attempt is aborted after its gate, when no answer came",
    rules: {
      ...withRows("abort", (rows) => backTo("Prepared", rows)),
      step: withStep((state, event) =>
        state.at === "dispatch" && isUnheard(event)
          ? { at: "abort", attempt: state.attempt, refusal: { failure, stage: "dispatch" } }
          : undefined,
      ),
    },
    scenario: "two keys, a proof each",
    breaks: "an attempt's record was rewritten",
  },
  {
    name: "a request is sent again when no answer came",
    rules: {
      ...realRules,
      step: withStep((state, event) =>
        state.at === "dispatch" && isUnheard(event) ? state : undefined,
      ),
    },
    scenario: "two keys, a proof each",
    breaks: "an attempt was sent twice",
  },
  {
    name: "a gate whose commit was not acknowledged counts as open",
    rules: {
      ...realRules,
      step: withStep((state, event) =>
        state.at === "gate" && "kind" in event && event.kind === "doubtful"
          ? { at: "dispatch", attempt: state.attempt }
          : undefined,
      ),
    },
    scenario: "two keys, a proof each",
    breaks: "something was sent before its gate",
  },
  {
    name: "no answer is taken for a refusal",
    rules: { ...realRules, lostAnswer: makeFixtureOutcome("refused") },
    scenario: "two keys, a proof each",
    breaks: "the ledger says Failed, and the wire says otherwise",
  },
  {
    name: "no answer is taken for a success",
    rules: { ...realRules, lostAnswer: makeFixtureOutcome("applied") },
    scenario: "two keys, a proof each",
    breaks: "the ledger says Completed, and the wire says otherwise",
  },
  {
    name: "a key is found by its beginning",
    rules: {
      ...realRules,
      look(ledger, spec, day) {
        const namespace = namespaceOf(spec);
        const found =
          namespace === null ? null : findByPrefix(ledger.reservations.keys(), namespace);
        return found === null ? { kind: "nothing" } : sightNamespace(ledger, found, spec, day);
      },
    },
    scenario: "two keys, a proof each",
    breaks: "a caller was told of another key's attempt",
  },
  {
    name: "the gate does not look at the approver's key again",
    rules: withRows("gate", (rows) => ({
      ...rows,
      approver: rows.approver === null ? null : { ...rows.approver, state: "active" },
    })),
    scenario: "a key revoked at any moment",
    breaks: "a gate opened for a revoked key",
  },
  {
    name: "a store acknowledges before its commit",
    rules: { ...realRules, acknowledgesEarly: true },
    scenario: "two keys, a proof each",
    breaks: "an acknowledged fact is not there",
  },
  {
    name: "a process that was declared dead begins another attempt",
    rules: withRows("begin", (rows) => ({
      ...rows,
      owner: rows.owner === null ? null : { ...rows.owner, state: "live" },
    })),
    scenario: "a lock lost while its process lives",
    breaks: "an attempt stayed open",
  },
];
