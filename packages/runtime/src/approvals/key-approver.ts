import {
  fail,
  failWith,
  succeed,
  type Ambient,
  type Approver,
  type Failure,
  type Outcome,
  type PreparedBytes,
} from "@connectors/sdk";
import { renderPrepared, type ApproverView, type Rendering } from "../rendering/render-prepared.js";
import { makeApprovalRefusal } from "./approval-refusal.js";
import type { OpenedKey } from "./private-key-file.js";
import { signProof } from "./sign-proof.js";

/** What an approver with a key of their own is made of. */
export interface KeyApproverParts {
  /** The key, or how it is opened: only once the effect is approved. */
  readonly key: OpenedKey | ((signal: AbortSignal) => Promise<Outcome<OpenedKey>>);
  readonly view: ApproverView;
  readonly ambient: Pick<Ambient, "clock" | "random">;
  /** Approve on a cluster that the view does not know; false asks nobody and refuses. */
  readonly acceptUnknownCluster: boolean;
  /** Shows every line, then asks; true approves, anything else denies. */
  confirm(lines: readonly string[], signal: AbortSignal): Promise<boolean>;
}

/**
 * An approver that shows what the prepared bytes hold, asks, and signs exactly those bytes.
 *
 * Denied is `approval_refused`, reason `denied`; stopped while asking is `interrupted`.
 */
export function makeKeyApprover(parts: KeyApproverParts): Approver {
  return {
    async approve(prepared: PreparedBytes, { signal }) {
      const rendering = renderPrepared(prepared.file, parts.view);
      if (!rendering.ok) return rendering;
      const refusal = refuseToAsk(rendering.value, parts);
      if (refusal !== undefined) return failWith(refusal);
      if (signal.aborted) return fail("interrupted", "Stopped before approval.");
      const approved = await parts.confirm(rendering.value.lines, signal);
      if (signal.aborted) return fail("interrupted", "Stopped before approval.");
      if (!approved) return failWith(makeApprovalRefusal("denied"));
      const { key } = parts;
      const opened = typeof key === "function" ? await key(signal) : succeed(key);
      if (!opened.ok) return opened;
      const { subject, subject_sha256: subjectSha256 } = rendering.value.file;
      const nowMs = parts.ambient.clock.nowMs();
      if (nowMs >= subject.expires_at_ms) return failWith(makeApprovalRefusal("expired"));
      return succeed(
        signProof({
          key: opened.value,
          approver: opened.value.approver,
          subject,
          subjectSha256,
          nowMs,
          random: parts.ambient.random,
        }),
      );
    },
  };
}

// Nobody is asked to approve what would be refused whatever they say.
function refuseToAsk({ file, cluster }: Rendering, parts: KeyApproverParts): Failure | undefined {
  if (parts.ambient.clock.nowMs() >= file.subject.expires_at_ms) {
    return makeApprovalRefusal("expired");
  }
  if (cluster !== null || parts.acceptUnknownCluster) return undefined;
  return {
    ...makeApprovalRefusal("not_permitted"),
    message: "This approver does not know the cluster that the write would change.",
    hint: "Check its address and trust, then approve with --accept-cluster.",
  };
}
