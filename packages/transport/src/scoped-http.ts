import {
  bodyBytesMax,
  connectMsDefault,
  requestMsDefault,
  scopeBodyBytesMax,
  userAgentBytesMax,
  waitMsMax,
} from "@connectors/domain";
import {
  fail,
  succeed,
  type Ambient,
  type AuthenticatedCheck,
  type AuthenticatedHttp,
  type AuthenticatedUpgrade,
  type AuthenticatedWrite,
  type Outcome,
  type ReviewPath,
  type UpgradeBounds,
} from "@connectors/sdk";
import { parseBaseUrl } from "./base-url.js";
import { makeFixedCredential, type CredentialLines, type CredentialSource } from "./credential.js";
import { startDeadline } from "./deadline.js";
import { isHeaderValue } from "./header-lines.js";
import { makeOneUpgrade } from "./one-upgrade.js";
import { makeOneWrite } from "./one-write.js";
import { parseProxy } from "./proxy.js";
import { isWithin, resolveCredential, type Reach, type ScopeLimits } from "./reach.js";
import { makeReader } from "./reader.js";
import { makeCheck } from "./review-check.js";
import { makeSockets } from "./sockets.js";
import { parseTrust, type TlsOptions } from "./trust.js";

/** Everything that a scope can reach, and how. */
export interface ScopedHttpOptions {
  /** https, unless `allowPlaintext`; no user info, query or fragment. */
  readonly baseUrl: string;
  readonly tls?: TlsOptions;
  readonly credential: CredentialSource;
  /** Wider or narrower than the defaults; each within its ceiling. */
  readonly limits?: Partial<ScopeLimits>;
  /** Plain http; the credential travels there only when this says so. */
  readonly allowPlaintext?: boolean | "with_credential";
  /** The one proxy of this connection; none is ever read from the environment. */
  readonly proxyUrl?: string;
  readonly userAgent?: string;
  readonly ambient: Ambient;
}

/** The authority to make requests to one origin and base path with one credential. */
export interface ScopedHttp {
  reader(): AuthenticatedHttp;
  check(path: ReviewPath): AuthenticatedCheck;
  /** Good for one try. */
  intoWrite(): AuthenticatedWrite;
  /** Good for one try; bounds out of range end it as `notSent`. */
  intoUpgradeWrite(bounds: UpgradeBounds): AuthenticatedUpgrade;
  /** Resolves the credential now, and keeps it: every request of the result carries its bytes. */
  capture(options: { readonly signal: AbortSignal }): Promise<Outcome<CapturedHttp>>;
  /**
   * Forgets the credential; idempotent. Idle connections close with the last holder of this scope
   * and its captures, and a request in flight is not waited for.
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A scope whose credential is fixed. */
export interface CapturedHttp extends ScopedHttp {
  /** Opaque; good for comparing with another. */
  readonly credential: CredentialLines;
}

const userAgentDefault = "connectors";

/** A scope that opens connections as it needs them; `invalid_input` names what it cannot use. */
export function openScopedHttp(options: ScopedHttpOptions): Outcome<ScopedHttp> {
  const allowPlaintext = options.allowPlaintext ?? false;
  const base = parseBaseUrl(options.baseUrl, { allowPlaintext: allowPlaintext !== false });
  if (!base.ok) return base;
  if (!base.value.secure && options.tls !== undefined) {
    return fail("invalid_input", "TLS settings are given for a plain http base URL.");
  }
  const trust = base.value.secure ? parseTrust(base.value, options.tls ?? {}) : succeed(undefined);
  if (!trust.ok) return trust;
  const proxy = options.proxyUrl === undefined ? succeed(undefined) : parseProxy(options.proxyUrl);
  if (!proxy.ok) return proxy;
  const limits = parseLimits(options.limits ?? {});
  if (!limits.ok) return limits;
  const userAgent = options.userAgent ?? userAgentDefault;
  if (!isHeaderValue(userAgent) || userAgent.length > userAgentBytesMax) {
    return fail("invalid_input", "The user agent is not a short header value.");
  }
  const { timers } = options.ambient;
  const sockets = makeSockets({
    base: base.value,
    trust: trust.value,
    proxy: proxy.value,
    connectMs: limits.value.connectMs,
    timers,
  });
  return succeed(
    makeScope({
      base: base.value,
      sockets,
      limits: limits.value,
      timers,
      userAgent,
      credential: options.credential,
      mayCarryCredential: base.value.secure || allowPlaintext === "with_credential",
    }),
  );
}

function makeScope(authority: Omit<Reach, "isClosed">): ScopedHttp {
  const release = authority.sockets.hold();
  let open: Reach | undefined = { ...authority, isClosed: () => open === undefined };
  // A facet made after disposal has no credential to lose, and answers as a closed one.
  const closed: Reach = { ...authority, credential: gone, isClosed: () => true };
  const reach = (): Reach => open ?? closed;
  return {
    reader: () => makeReader(reach()),
    check: (path) => makeCheck(reach(), path),
    intoWrite: () => makeOneWrite(reach()),
    intoUpgradeWrite: (bounds) => makeOneUpgrade(reach(), bounds),
    async capture({ signal }) {
      const from = reach();
      const timeoutMs = from.limits.requestMs;
      const deadline = startDeadline({ timers: from.timers, signal, timeoutMs });
      const resolved = await resolveCredential(from.credential, deadline);
      deadline.release();
      if (!resolved.ok) return resolved;
      const credential = makeFixedCredential(resolved.value);
      const captured = makeScope({ ...from, credential });
      return succeed({ ...captured, credential: resolved.value });
    },
    [Symbol.asyncDispose]() {
      open = undefined;
      release();
      return Promise.resolve();
    },
  };
}

const gone: CredentialSource = {
  resolve: () => Promise.resolve(fail("unavailable", "This connection has been given up.")),
};

function parseLimits(limits: Partial<ScopeLimits>): Outcome<ScopeLimits> {
  const whole = {
    bodyBytesMax: limits.bodyBytesMax ?? bodyBytesMax,
    connectMs: limits.connectMs ?? connectMsDefault,
    requestMs: limits.requestMs ?? requestMsDefault,
  };
  if (
    !isWithin(whole.bodyBytesMax, scopeBodyBytesMax) ||
    !isWithin(whole.connectMs, waitMsMax) ||
    !isWithin(whole.requestMs, waitMsMax)
  ) {
    return fail("invalid_input", "A limit of the connection is not in its range.");
  }
  return succeed(whole);
}
