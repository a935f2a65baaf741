import {
  clockBackstepMsMax,
  proofLifetimeS,
  type Approver,
  type ErrorCode,
  type JournalRequest,
  type JournalRequestBegin,
  type RefusalReason,
} from "@connectors/domain";
import {
  fixtureKid,
  fixtureName,
  fixtureTime,
  makeFixtureApprover,
  makeFixturePolicy,
  makeFixtureProof,
  nameFixturePolicy,
} from "./journal-fixtures.js";
import {
  anchorRequest,
  beginRequest,
  putApproverRequest,
  putPolicyRequest,
} from "./journal-requests.js";
import { expectKind, expectRefusal, openScene, type JournalCase } from "./journal-scene.js";

const lifetimeMs = proofLifetimeS * 1000;
const signedLater = makeFixtureProof(1, 100_000);

/** What stands before a begin, the begin itself, and why it is refused. */
interface BeginRefusal {
  readonly why: string;
  readonly before?: readonly JournalRequest[];
  readonly begin: JournalRequestBegin;
  readonly code: ErrorCode;
  readonly reason?: RefusalReason;
}

const refusals: readonly BeginRefusal[] = [
  {
    why: "its proof's window has not begun",
    begin: beginRequest(1, { proof: signedLater, now_ms: fixtureTime(94_999) }),
    code: "approval_refused",
    reason: "not_yet_valid",
  },
  {
    why: "its proof's window ends at this millisecond",
    begin: beginRequest(1, { now_ms: fixtureTime(lifetimeMs) }),
    code: "approval_refused",
    reason: "expired",
  },
  {
    why: "the freeze's limit is this millisecond",
    begin: beginRequest(1, { of: { expires_at_ms: fixtureTime(10) }, now_ms: fixtureTime(10) }),
    code: "approval_refused",
    reason: "expired",
  },
  {
    why: "no approver has its key",
    begin: beginRequest(1, { proof: { ...makeFixtureProof(1), kid: fixtureKid(1) } }),
    code: "approval_refused",
    reason: "unknown_key",
  },
  {
    why: "its key is another approver's",
    begin: beginRequest(1, { proof: { ...makeFixtureProof(1), issuer: fixtureName("mallory") } }),
    code: "approval_refused",
    reason: "unknown_key",
  },
  {
    why: "its key was revoked",
    before: [changeApprover({ state: "revoked" })],
    begin: beginRequest(1),
    code: "approval_refused",
    reason: "revoked_key",
  },
  {
    why: "its key was retired before it was signed",
    before: [changeApprover({ state: "retired", changed_at_ms: fixtureTime(94_999) })],
    begin: beginRequest(1, { proof: signedLater, now_ms: fixtureTime(100_000) }),
    code: "approval_refused",
    reason: "revoked_key",
  },
  {
    why: "its policy was replaced",
    before: [putPolicyRequest(makeFixturePolicy(2))],
    begin: beginRequest(1),
    code: "approval_refused",
    reason: "policy_changed",
  },
  {
    why: "its policy has that revision and another digest",
    begin: beginRequest(1, { policy: { ...nameRevision(2), revision: nameRevision(1).revision } }),
    code: "approval_refused",
    reason: "policy_changed",
  },
  {
    why: "its policy has another id",
    begin: beginRequest(1, { policy: { ...nameRevision(1), id: fixtureName("global") } }),
    code: "approval_refused",
    reason: "policy_changed",
  },
  {
    why: "the clock stepped back by more than a correction",
    before: [anchorRequest(1, clockBackstepMsMax + 1)],
    begin: beginRequest(1),
    code: "unavailable",
  },
];

/** Each reason for which step 7 records nothing. */
export const beginRefusalCases: readonly JournalCase[] = refusals.map(
  ({ why, before = [], begin, code, reason }): JournalCase => {
    return {
      name: `begin writes nothing when ${why}`,
      async run(harness) {
        const scene = await openScene(harness);
        for (const request of before) expectKind(await scene.send(request), "done");
        await expectRefusal(scene, begin, code, reason);
      },
    };
  },
);

function changeApprover(change: Partial<Approver>): JournalRequest {
  return putApproverRequest(makeFixtureApprover(change));
}

function nameRevision(revision: number): JournalRequestBegin["policy"] {
  return nameFixturePolicy(makeFixturePolicy(revision));
}
