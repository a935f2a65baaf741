import type { Provider } from "@connectors/domain";
import { fail, makeFailure, succeed, type CapturedConnection, type Outcome } from "@connectors/sdk";
import { disposeCaptured } from "../adapters/guard-connection.js";
import { soundWriteFailure } from "../failure/sound-failure.js";
import { stopFailure } from "./stop-failure.js";
import { untilStopped } from "./stop.js";
import type { WriteRun } from "./write-run.js";
import type { StepEvents } from "./write-state.js";

/**
 * Step 4: the connection leads where it led when the write was frozen, and to the same user.
 *
 * The address, its name and its trust are compared before a byte leaves; the credential is captured
 * once for this write, so that the review that named the user and the one send carry the same.
 */
export async function capture(run: WriteRun): Promise<StepEvents["capture"]> {
  const captured = await captureSame(run);
  if (!captured.ok) {
    const failure = soundWriteFailure(captured.failure);
    return { kind: "refused", refusal: { failure, stage: "connection" } };
  }
  run.held.captured = captured.value;
  return { kind: "captured" };
}

async function captureSame(run: WriteRun): Promise<Outcome<CapturedConnection>> {
  const { frozen, stop } = run;
  const { connection } = frozen.adapter;
  const approved = frozen.subject.target.provider;
  const described = await connection.describe();
  if (!described.ok) return described;
  if (!isSamePlace(described.value, approved)) {
    return fail(
      "identity_mismatch",
      "The connection leads to another cluster than the one frozen.",
    );
  }
  const captured = await untilStopped(
    stop,
    connection.capture({ signal: stop.signal }),
    (late) => void (late.ok && disposeCaptured(late.value)),
  );
  const stopped = stopFailure(stop);
  if (captured === undefined || (!captured.ok && stopped !== undefined)) {
    return { ok: false, failure: stopped ?? makeFailure("timeout", "The deadline passed.") };
  }
  if (captured.ok && captured.value.username !== approved.username) {
    await disposeCaptured(captured.value);
    return fail(
      "identity_mismatch",
      "The provider says that we are another user than the one frozen.",
    );
  }
  return captured.ok ? succeed(captured.value) : captured;
}

function isSamePlace(described: Omit<Provider, "username">, approved: Provider): boolean {
  return (
    described.base_url === approved.base_url &&
    described.tls_name === approved.tls_name &&
    described.trust_sha256 === approved.trust_sha256
  );
}
