import {
  inputBytesMax,
  parseIdempotencyKey,
  type IdempotencyKey,
  type OperationDeclaration,
} from "@connectors/domain";
import { fail, succeed, type CheckedInput, type JsonObject, type Outcome } from "@connectors/sdk";
import { findOperation, type FoundOperation } from "../adapters/find-operation.js";
import { isWrite, type InstalledAdapters } from "../adapters/installed-adapter.js";
import { encodeInput, readInput } from "./input-bytes.js";

/** What is asked of {@link admitWrite}, as it came. */
export interface WriteRequestFacts {
  readonly adapter: string;
  readonly operation: string;
  /** The declaration's revision that the requester has seen; null or absent for any. */
  readonly revision?: string | null;
  readonly input: JsonObject;
  /** The caller's key, for keyed operations. */
  readonly key?: string | null;
}

/** What one call may take: never more than declared. */
export interface CallLimits {
  readonly executionMs: number;
  readonly providerMs: number;
}

/** A request that the adapter accepts; policy has not been asked. */
export interface AdmittedWrite extends FoundOperation {
  readonly key: IdempotencyKey | null;
  /** Canonical JSON; the caller's object is not looked at again. */
  readonly inputText: string;
  readonly checked: CheckedInput;
  readonly limits: CallLimits;
}

/**
 * Adapter, operation, revision, key, input schema and the adapter's own bounds, in this order; the
 * first that does not hold is the answer. Pure: no request, no store.
 */
export function admitWrite(
  request: WriteRequestFacts,
  adapters: InstalledAdapters,
): Outcome<AdmittedWrite> {
  const found = findOperation(adapters, request);
  if (!found.ok) return found;
  const { adapter, operation } = found.value;
  const { declaration } = operation;
  if (!isWrite(declaration)) {
    return fail("unsupported", "This operation is a read.", { hint: "Use `connectors read`." });
  }
  const key = readKey(request.key ?? null, declaration);
  if (!key.ok) return key;
  const bytesMax = Math.min(declaration.limits.request_bytes, inputBytesMax);
  const input = encodeInput(request.input, bytesMax);
  if (!input.ok) return input;
  const checked = adapter.adapter.check(declaration.id, readInput(input.value));
  if (!checked.ok) return checked;
  return succeed({
    ...found.value,
    key: key.value,
    inputText: input.value,
    checked: checked.value,
    limits: narrowLimits(declaration, checked.value),
  });
}

function readKey(
  key: string | null,
  { idempotency }: OperationDeclaration,
): Outcome<IdempotencyKey | null> {
  if (idempotency.kind !== "keyed") {
    return key === null
      ? succeed(null)
      : fail("invalid_input", "This operation takes no key: each call of it is an effect.");
  }
  if (key === null) return fail("invalid_input", "This operation needs a key.");
  const parsed = parseIdempotencyKey(key);
  return parsed.ok ? parsed : fail("invalid_input", "A key is 1 to 256 bytes of text.");
}

function narrowLimits({ limits }: OperationDeclaration, checked: CheckedInput): CallLimits {
  const executionMs = Math.min(limits.execution_ms, checked.limits?.execution_ms ?? Infinity);
  const providerMs = Math.min(limits.provider_ms, checked.limits?.provider_ms ?? Infinity);
  return { executionMs, providerMs: Math.min(providerMs, executionMs) };
}
