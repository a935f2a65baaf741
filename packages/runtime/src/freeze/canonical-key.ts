import {
  parseFingerprint,
  parseKeyNamespace,
  type Fingerprint,
  type IdempotencyKey,
  type KeyNamespace,
  type Subject,
} from "@connectors/domain";
import { encodeCanonical } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";

/**
 * Whose key this is: the whole string is compared, so that equal keys of other callers, adapters
 * or origins never meet. Nulls are written out; an absent realm is no default realm.
 */
export function encodeKeyNamespace(subject: Subject, key: IdempotencyKey): KeyNamespace {
  const { target, authority, origin } = subject;
  const text = encodeCanonical([
    "mutation-key/1",
    target.instance,
    authority.tenant,
    authority.realm,
    authority.caller,
    authority.executor,
    origin,
    // A direct request comes from the instance itself; a gateway would be named here.
    target.instance,
    key,
  ]);
  return trusted(parseKeyNamespace(text), "a key's namespace is within its bound");
}

/**
 * What a key stands for. Never in it: deadline, key, proof, policy, or any byte of a credential.
 * Equal fingerprints are equal requests.
 */
export function encodeFingerprint(subject: Subject): Fingerprint {
  const { target } = subject;
  const text = encodeCanonical([
    "mutation-request/2",
    [target.contract, target.instance, target.adapter, target.operation],
    target.connection,
    target.connection_revision,
    target.profile,
    target.descriptor_revision,
    target.configuration_revision,
    subject.canonicalization,
    subject.input_sha256,
    subject.route,
  ]);
  return trusted(parseFingerprint(text), "a fingerprint is within its bound");
}
