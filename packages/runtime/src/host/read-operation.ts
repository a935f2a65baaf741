import type { Provider } from "@connectors/domain";
import {
  fail,
  makeFailure,
  type CapturedConnection,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";
import { findOperation, type FoundOperation } from "../adapters/find-operation.js";
import { disposeCaptured } from "../adapters/guard-connection.js";
import { isWrite } from "../adapters/installed-adapter.js";
import { encodeInput, readInput } from "../freeze/input-bytes.js";
import { describeProvider } from "../freeze/make-subject.js";
import { checkOutput } from "../write/check-output.js";
import { makeStop, untilStopped, type Stop } from "../write/stop.js";
import type { HostScope } from "./host-scope.js";

/** A read of one adapter. */
export interface ReadRequest {
  readonly adapter: string;
  readonly operation: string;
  readonly revision?: string | null;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
}

/**
 * What a read gives, checked against its declared output.
 *
 * It has nothing that can write: a write is `forbidden` here, with no request. Configuration alone
 * decides about reads; the policy is about writes.
 */
export async function readOperation(
  request: ReadRequest,
  scope: HostScope,
): Promise<Outcome<JsonObject>> {
  const found = findOperation(scope.adapters, request);
  if (!found.ok) return found;
  const { adapter, operation } = found.value;
  const { declaration } = operation;
  if (isWrite(declaration)) {
    return fail("forbidden", "This operation is a write.", { hint: "Use `connectors write`." });
  }
  const input = encodeInput(request.input, declaration.limits.request_bytes);
  if (!input.ok) return input;
  const checked = adapter.adapter.check(declaration.id, readInput(input.value));
  if (!checked.ok) return checked;
  const provider = await describeProvider(adapter);
  if (!provider.ok) return provider;
  if (!isProbed(provider.value, adapter.probed?.provider)) {
    return fail("identity_mismatch", "The connection leads elsewhere than when it was probed.");
  }
  const stop = makeStop(scope.ambient, declaration.limits.execution_ms, request.signal);
  const captured = await captureFor(found.value, stop);
  if (!captured.ok) {
    stop.release();
    return captured;
  }
  const result = await readWith(found.value, input.value, captured.value, stop);
  stop.release();
  await disposeCaptured(captured.value);
  return result;
}

function isProbed(now: Provider, probed: Provider | undefined): boolean {
  return (
    now.base_url === probed?.base_url &&
    now.tls_name === probed.tls_name &&
    now.trust_sha256 === probed.trust_sha256
  );
}

async function captureFor(
  { adapter }: FoundOperation,
  stop: Stop,
): Promise<Outcome<CapturedConnection>> {
  const capturing = adapter.connection.capture({ signal: stop.signal });
  const captured = await untilStopped(stop, capturing, (late) => {
    if (late.ok) void disposeCaptured(late.value);
  });
  if (captured === undefined) return stopped(stop);
  if (captured.ok && captured.value.username !== adapter.probed?.provider.username) {
    await disposeCaptured(captured.value);
    return fail("identity_mismatch", "The provider says that we are another user than probed.");
  }
  return captured;
}

async function readWith(
  { adapter, operation }: FoundOperation,
  inputText: string,
  captured: CapturedConnection,
  stop: Stop,
): Promise<Outcome<JsonObject>> {
  const { id, limits } = operation.declaration;
  const capabilities = { http: captured.http, signal: stop.signal };
  const reading = adapter.adapter.read(id, readInput(inputText), capabilities);
  const result = await untilStopped(stop, reading, () => undefined);
  if (result === undefined) return stopped(stop);
  if (!result.ok) return result;
  return checkOutput(result.value, {
    bytesMax: limits.result_bytes,
    checkResult: (value) => adapter.adapter.checkResult(id, value),
  });
}

function stopped(stop: Stop): Outcome<never> {
  return stop.reason() === "interrupted"
    ? fail("interrupted", "Stopped before the read ended.")
    : { ok: false, failure: makeFailure("timeout", "The read took longer than it may.") };
}
