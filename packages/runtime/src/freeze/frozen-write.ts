import {
  encodeCanonicalSubject,
  type Fingerprint,
  type IdempotencyKey,
  type KeyNamespace,
  type Sha256,
  type Subject,
} from "@connectors/domain";
import type { InstalledAdapter, DeclaredOperation } from "../adapters/installed-adapter.js";
import { digestOf } from "../journal/measure.js";
import type { PolicyRequest } from "../policy/explain-policy.js";
import type { AdmittedWrite, CallLimits } from "./admit-write.js";
import { encodeFingerprint, encodeKeyNamespace } from "./canonical-key.js";
import { encodePrepared } from "./prepared-file.js";

/** One exact intended effect, as bytes; nothing of it can change any more. */
export interface Frozen {
  readonly subject: Subject;
  readonly subjectSha256: Sha256;
  readonly key: IdempotencyKey | null;
  readonly namespace: KeyNamespace | null;
  readonly fingerprint: Fingerprint;
  readonly inputText: string;
  readonly preparedBytes: Uint8Array;
  readonly adapter: InstalledAdapter;
  readonly operation: DeclaredOperation;
  readonly limits: CallLimits;
  /** What the policy is asked, at the freeze and again at the proof. */
  readonly asked: PolicyRequest;
}

/** The frozen write that an admitted request and its subject make. */
export function makeFrozen(
  admitted: AdmittedWrite,
  subject: Subject,
  asked: PolicyRequest,
): Frozen {
  const { key, inputText, adapter, operation, limits } = admitted;
  return {
    subject,
    subjectSha256: digestOf(encodeCanonicalSubject(subject)),
    key,
    namespace: key === null ? null : encodeKeyNamespace(subject, key),
    fingerprint: encodeFingerprint(subject),
    inputText,
    preparedBytes: encodePrepared({ subject, inputText, key }),
    adapter,
    operation,
    limits,
    asked,
  };
}
