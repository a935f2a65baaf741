import {
  fail,
  succeed,
  type CapturedConnection,
  type Connection,
  type Outcome,
} from "@connectors/sdk";
import { soundFailure } from "../failure/sound-failure.js";

/** The same connection, which no longer rejects: an error of its own comes back as `internal`. */
export function guardConnection(connection: Connection): Connection {
  return {
    describe: () => guard(() => connection.describe()),
    capture: (options) => guard(() => connection.capture(options)),
  };
}

/** Forgets the credential; whatever goes wrong in that is of no use to whoever is done with it. */
export async function disposeCaptured(captured: CapturedConnection): Promise<void> {
  await guard(async () => succeed(await captured[Symbol.asyncDispose]()));
}

async function guard<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    const outcome = await call();
    return outcome.ok ? outcome : { ok: false, failure: soundFailure(outcome.failure) };
  } catch {
    return fail("internal", "The connection broke off with an error of its own.");
  }
}
