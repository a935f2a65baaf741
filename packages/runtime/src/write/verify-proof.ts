import { fail, makeFailure, succeed, type Outcome } from "@connectors/sdk";
import type { Approver, ProofFacts } from "@connectors/domain";
import { verifyProof as verifyJws } from "../approvals/verify-proof.js";
import { readCurrentPolicy } from "../policy/current-policy.js";
import { listMatchingRules } from "../policy/explain-policy.js";
import type { WriteRun } from "./write-run.js";
import type { StepEvents } from "./write-state.js";

/** Step 3: whether the proof approves exactly this write, here and now. */
export async function verifyProof(run: WriteRun): Promise<StepEvents["verify_proof"]> {
  const { frozen, jws, scope } = run;
  if (frozen.operation.declaration.approval === "not_required") {
    return { kind: "verified", approval: null };
  }
  const proof = jws === null ? missing : await verifyAgainstTables(run, jws);
  if (!proof.ok) {
    return { kind: "refused", refusal: { failure: proof.failure, stage: "approval" } };
  }
  const separation = await scope.separationOf(proof.value.kid);
  return { kind: "verified", approval: { proof: proof.value, separation } };
}

const missing = fail("approval_required", "Nobody has approved this write.");

async function verifyAgainstTables(run: WriteRun, jws: string): Promise<Outcome<ProofFacts>> {
  const { frozen, scope } = run;
  const approvers = await readApprovers(run);
  if (!approvers.ok) return approvers;
  const current = await readCurrentPolicy(scope.journal);
  if (!current.ok) return current;
  return verifyJws(jws, {
    subject: frozen.subject,
    audience: scope.audience,
    approvers: approvers.value,
    policy: current.value?.reference ?? null,
    rules: current.value === null ? [] : listMatchingRules(current.value.policy, frozen.asked),
    nowMs: scope.ambient.clock.nowMs(),
  });
}

async function readApprovers(run: WriteRun): Promise<Outcome<readonly Approver[]>> {
  const view = await run.scope.journal.query({ kind: "approvers" });
  return view.ok
    ? succeed(view.value.approvers)
    : { ok: false, failure: makeFailure("unavailable", "The approvers' table is not readable.") };
}
