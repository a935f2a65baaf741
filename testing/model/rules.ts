import type { KeptOutcome, KeyNamespace } from "@connectors/domain";
import {
  journalMachine,
  sightKey,
  stepWrite,
  type JournalMachine,
  type Sighting,
} from "@connectors/runtime";
import { fixtureFingerprint, fixtureTime, makeFixtureOutcome } from "@connectors/runtime/testing";
import type { Ledger } from "./ledger.js";
import { dayMs, namespaceOf } from "./model-requests.js";
import type { WriteSpec } from "./scenario.js";
import type { ProcessState } from "./world.js";

/**
 * Whatever a bug could be in.
 *
 * Machine, step and look are the product's own code. The rest says, in a word each, what a store, a
 * transport or a recoverer around them does.
 */
export interface Rules {
  readonly machine: JournalMachine;
  readonly step: typeof stepWrite;
  /** A look at a write's key. */
  readonly look: (ledger: Ledger, spec: WriteSpec, day: number) => Sighting;
  /** What is taken for proved when an answer never came. */
  readonly lostAnswer: KeptOutcome;
  /** Whether a recoverer takes this process for dead. */
  readonly mayRecover: (process: ProcessState) => boolean;
  /** Whether recovery sends what it finds prepared. */
  readonly recoveryResumes: boolean;
  /** Whether a store may answer and then lose what it answered. */
  readonly acknowledgesEarly: boolean;
}

/** The rules as they are. */
export const realRules: Rules = {
  machine: journalMachine,
  step: stepWrite,
  look(ledger, spec, day) {
    const namespace = namespaceOf(spec);
    return namespace === null ? { kind: "nothing" } : sightNamespace(ledger, namespace, spec, day);
  },
  lostAnswer: makeFixtureOutcome("unknown"),
  mayRecover: (process) => process.lock === "free",
  recoveryResumes: false,
  acknowledgesEarly: false,
};

/** What the rows under this namespace mean to the write. */
export function sightNamespace(
  ledger: Ledger,
  namespace: KeyNamespace,
  spec: WriteSpec,
  day: number,
): Sighting {
  const reservation = ledger.reservations.get(namespace) ?? null;
  const attempt = reservation === null ? undefined : ledger.attempts.get(reservation.attempt);
  const rows = { reservation, attempt: attempt ?? null };
  return sightKey(rows, fixtureFingerprint(spec.request), fixtureTime(day * dayMs));
}
