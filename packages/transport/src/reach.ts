import {
  fail,
  failWith,
  succeed,
  type HttpTarget,
  type Outcome,
  type Timers,
} from "@connectors/sdk";
import type { BaseUrl } from "./base-url.js";
import {
  fixedCredentialOf,
  openCredential,
  type CredentialLines,
  type CredentialSource,
} from "./credential.js";
import { makeStopFailure, withinDeadline, type Deadline } from "./deadline.js";
import type { Lanes } from "./lane.js";
import type { Sockets } from "./sockets.js";
import { encodeTarget } from "./target.js";

/** What one scope may spend on a request, where its caller says nothing narrower. */
export interface ScopeLimits {
  readonly bodyBytesMax: number;
  readonly connectMs: number;
  readonly requestMs: number;
}

/** Everything a facet needs to make its requests: the authority of one scope. */
export interface Reach {
  readonly base: BaseUrl;
  readonly credential: CredentialSource;
  readonly sockets: Sockets;
  readonly limits: ScopeLimits;
  readonly timers: Timers;
  readonly userAgent: string;
  /** Whether a credential may travel here: over TLS, or where the connection says so. */
  readonly mayCarryCredential: boolean;
  isClosed(): boolean;
}

/** A request that may be sent: its encoded target, its way, and the credential's lines. */
export interface Prepared {
  readonly path: string;
  readonly lanes: Lanes;
  /** `user-agent` and the credential, names and values in turn. */
  readonly headers: readonly string[];
}

/**
 * Checks the target, and only then resolves the credential: a request that cannot be sent asks
 * nobody for a secret. Nothing leaves here.
 */
export async function prepareRequest(
  reach: Reach,
  target: HttpTarget,
  deadline: Deadline,
): Promise<Outcome<Prepared>> {
  if (reach.isClosed()) return fail("unavailable", "This connection has been given up.");
  const path = encodeTarget(reach.base, target);
  if (!path.ok) return path;
  const resolved = await resolveCredential(reach.credential, deadline);
  if (!resolved.ok) return resolved;
  if (!resolved.value.anonymous && !reach.mayCarryCredential) {
    return fail("forbidden", "The connection does not send its credential over plain http.");
  }
  if (reach.isClosed()) return fail("unavailable", "This connection has been given up.");
  const { lines, certificate } = openCredential(resolved.value);
  return succeed({
    path: path.value,
    lanes: reach.sockets.lanes(certificate),
    headers: ["user-agent", reach.userAgent, ...lines],
  });
}

/** The credential, unless the deadline comes first. */
export async function resolveCredential(
  source: CredentialSource,
  deadline: Deadline,
): Promise<Outcome<CredentialLines>> {
  if (deadline.cause !== undefined) {
    return failWith(makeStopFailure(deadline.cause));
  }
  const known = fixedCredentialOf(source);
  if (known !== undefined) return succeed(known);
  const raced = await withinDeadline(deadline, source.resolve(deadline.signal()));
  if ("done" in raced) return raced.done;
  return failWith(makeStopFailure(raced.cause));
}

/** Whether `value` is a whole number from 1 to `max`. */
export function isWithin(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= max;
}
