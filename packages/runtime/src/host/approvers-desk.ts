import {
  journalBusyMsMax,
  parseApprover,
  type Approver,
  type ApproverKeyState,
} from "@connectors/domain";
import { fail, failWith, succeed, type Outcome } from "@connectors/sdk";
import { readPublicKey, thumbprintOf } from "../approvals/signing-key.js";
import { describeIssues } from "../failure/issues-text.js";
import { toTimeMs } from "../journal/measure.js";
import { describeJournalFailure, describeRefusal } from "../write/journal-refusal.js";
import { hostDraft, type HostScope } from "./host-scope.js";

/** A new row of the approvers' table. */
export interface NewApprover {
  readonly name: string;
  /** Raw Ed25519 public key, unpadded base64url. */
  readonly publicKey: string;
  /** Operation ids, or `*`. */
  readonly operations: readonly string[];
  /** Adapter names, or `*`. */
  readonly adapters: readonly string[];
}

/** The host's table of approvers: public keys, and what each may approve. */
export interface ApproversDesk {
  list(): Promise<Outcome<readonly Approver[]>>;
  /** Its kid is the key's thumbprint; a key that is there already is `lifecycle_conflict`. */
  add(approver: NewApprover): Promise<Outcome<Approver>>;
  /** Verifies what it has signed for the lifetime of a proof, and nothing new. */
  retire(kid: string): Promise<Outcome<Approver>>;
  /** Verifies nothing, at once. */
  revoke(kid: string): Promise<Outcome<Approver>>;
  /** Adds another key with the same rights, then retires this one. */
  rotate(kid: string, publicKey: string): Promise<Outcome<Approver>>;
}

/** The approvers of this host's store. */
export function makeApproversDesk(scope: HostScope): ApproversDesk {
  async function list(): Promise<Outcome<readonly Approver[]>> {
    const view = await scope.journal.query({ kind: "approvers" });
    if (!view.ok) return view;
    // Oldest first, whatever order a store keeps them in.
    return succeed(view.value.approvers.toSorted((a, b) => a.created_at_ms - b.created_at_ms));
  }

  async function put(approver: Approver): Promise<Outcome<Approver>> {
    const done = await scope.journal.transact(
      { kind: "put_approver", approver, draft: hostDraft(scope, "approver") },
      { deadlineMs: journalBusyMsMax },
    );
    if (!done.ok) return failWith(describeJournalFailure(done.failure));
    return done.value.kind === "done" ? succeed(approver) : failWith(describeRefusal(done.value));
  }

  async function find(kid: string): Promise<Outcome<Approver>> {
    const listed = await list();
    if (!listed.ok) return listed;
    const found = listed.value.find((approver) => approver.kid === kid);
    return found === undefined
      ? fail("not_found", "No approver of this host has that key.")
      : succeed(found);
  }

  async function move(kid: string, state: ApproverKeyState): Promise<Outcome<Approver>> {
    const found = await find(kid);
    if (!found.ok) return found;
    return put({ ...found.value, state, changed_at_ms: toTimeMs(scope.ambient.clock.nowMs()) });
  }

  async function add(approver: NewApprover): Promise<Outcome<Approver>> {
    const made = makeApprover(approver, scope.ambient.clock.nowMs());
    if (!made.ok) return made;
    // Putting a row that is there already would be a move; adding is not.
    const known = await find(made.value.kid);
    if (known.ok) return fail("lifecycle_conflict", "An approver of this host has that key.");
    return known.failure.code === "not_found" ? put(made.value) : known;
  }

  return {
    list,
    add,
    retire: (kid) => move(kid, "retired"),
    revoke: (kid) => move(kid, "revoked"),
    async rotate(kid, publicKey) {
      const old = await find(kid);
      if (!old.ok) return old;
      const { name, operations, adapters, state } = old.value;
      if (state !== "active") return fail("lifecycle_conflict", "That key is not active.");
      const added = await add({ name, operations, adapters, publicKey });
      if (!added.ok) return added;
      const retired = await move(kid, "retired");
      return retired.ok ? added : retired;
    },
  };
}

function makeApprover(approver: NewApprover, nowMs: number): Outcome<Approver> {
  if (readPublicKey(approver.publicKey) === undefined) {
    return fail("invalid_input", "The key is not a raw Ed25519 public key in base64url.");
  }
  const parsed = parseApprover({
    name: approver.name,
    kid: thumbprintOf(approver.publicKey),
    public_key: approver.publicKey,
    operations: approver.operations,
    adapters: approver.adapters,
    state: "active",
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
  });
  return parsed.ok
    ? succeed(parsed.value)
    : fail("invalid_input", `The approver: ${describeIssues(parsed.issues)}`);
}
