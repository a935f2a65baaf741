import { identityReviewMsMax, parseProvider, type ConnectionSource } from "@connectors/domain";
import {
  fail,
  succeed,
  type Ambient,
  type CapturedConnection,
  type Connection,
  type ConnectionDescription,
  type Outcome,
} from "@connectors/sdk";
import { isSameCredential, type CapturedHttp, type CredentialLines } from "@connectors/transport";
import { readConnectionFiles, type ConnectionFiles } from "./connection-files.js";
import { makeConnectionScope, type ConnectionScope } from "./connection-scope.js";
import { resolveCredential } from "./credentials.js";
import { reviewIdentity } from "./identity.js";
import { readNodeEnvironment, type NodeEnvironment } from "./node-environment.js";
import { makePluginCredentials, type PluginCredentials } from "./plugin-credentials.js";

/** Where a connection leads and what it may know of this process. */
export interface ConnectionOptions {
  readonly source: ConnectionSource;
  readonly ambient: Ambient;
  /** This process's own, without a terminal for exec plugins, unless it is given. */
  readonly environment?: NodeEnvironment;
  /**
   * Whether a `proxy-url` may stand in the kubeconfig; `refuse` makes a capture that would go
   * through one `stale_description`. Accepted unless it is given.
   */
  readonly proxy?: "accept" | "refuse";
}

/** A connection that keeps sockets and plugin credentials between captures; dispose of it. */
export interface NodeConnection extends Connection {
  capture(options: { readonly signal: AbortSignal }): Promise<Outcome<CapturedNodeConnection>>;
  /** Closes idle sockets and forgets credentials; captures keep working until they go. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A captured connection, and where it really leads. */
export interface CapturedNodeConnection extends CapturedConnection {
  readonly description: ConnectionDescription;
}

interface Reviewed {
  readonly description: ConnectionDescription;
  readonly credential: CredentialLines;
  readonly username: string;
  readonly atMs: number;
}

/**
 * The connection to one cluster as one user. Opening it does nothing; each call reads the files
 * anew. A capture that leads elsewhere than the last `describe` said is `identity_mismatch`; the
 * other failures are those of the files, of the credential and of the one SelfSubjectReview.
 */
export function openConnection(options: ConnectionOptions): NodeConnection {
  const { source, ambient, proxy = "accept" } = options;
  const environment = options.environment ?? readNodeEnvironment();
  const plugins = makePluginCredentials({ environment, ambient });
  const scope = makeConnectionScope(ambient);
  const state: CaptureState = { plugins, scope, ambient, reviewed: undefined };
  let described: ConnectionDescription | undefined;

  return {
    async describe() {
      const files = await readConnectionFiles(source, environment);
      if (!files.ok) return files;
      described = files.value.description;
      return succeed(described);
    },
    async capture({ signal }) {
      const files = await readConnectionFiles(source, environment);
      if (!files.ok) return files;
      if (described !== undefined && !isSamePlace(described, files.value.description)) {
        return fail("identity_mismatch", "the connection's files lead elsewhere than a moment ago");
      }
      if (proxy === "refuse" && files.value.cluster.proxyUrl !== null) {
        return fail("stale_description", "the kubeconfig has come to name a proxy");
      }
      return captureAs(files.value, state, signal);
    },
    async [Symbol.asyncDispose]() {
      plugins.forget();
      state.reviewed = undefined;
      await scope[Symbol.asyncDispose]();
    },
  };
}

interface CaptureState {
  readonly plugins: PluginCredentials;
  readonly scope: ConnectionScope;
  readonly ambient: Ambient;
  /** The last review; good for the same place and the same credential alone. */
  reviewed: Reviewed | undefined;
}

async function captureAs(
  files: ConnectionFiles,
  state: CaptureState,
  signal: AbortSignal,
): Promise<Outcome<CapturedNodeConnection>> {
  const captured = await captureOnce(files, state, signal);
  if (captured.ok || captured.failure.code !== "unauthorized" || !state.plugins.forget()) {
    return captured;
  }
  // A plugin's credential may be revoked before it expires: ask for another, once.
  return captureOnce(files, state, signal);
}

async function captureOnce(
  files: ConnectionFiles,
  state: CaptureState,
  signal: AbortSignal,
): Promise<Outcome<CapturedNodeConnection>> {
  const nowMs = state.ambient.clock.nowMs();
  const credential = await resolveCredential(files, state.plugins, { nowMs, signal });
  if (!credential.ok) return credential;
  const http = await state.scope.capture(files, credential.value, signal);
  if (!http.ok) return http;
  const username = await nameUser(http.value, files.description, state, signal);
  if (username.ok) return succeed(makeCaptured(http.value, files.description, username.value));
  await http.value[Symbol.asyncDispose]();
  return username;
}

async function nameUser(
  http: CapturedHttp,
  description: ConnectionDescription,
  state: CaptureState,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const nowMs = state.ambient.clock.monotonicMs();
  const last = state.reviewed;
  if (
    last !== undefined &&
    nowMs - last.atMs < identityReviewMsMax &&
    isSamePlace(last.description, description) &&
    isSameCredential(last.credential, http.credential)
  ) {
    return succeed(last.username);
  }
  const username = await reviewIdentity(http.check("selfsubjectreviews"), signal);
  if (!username.ok) return username;
  if (!parseProvider({ ...description, username: username.value }).ok) {
    return fail("upstream_protocol", "the SelfSubjectReview's username is too long");
  }
  const { credential } = http;
  state.reviewed = { description, credential, username: username.value, atMs: nowMs };
  return username;
}

function makeCaptured(
  http: CapturedHttp,
  description: ConnectionDescription,
  username: string,
): CapturedNodeConnection {
  let spent = false;
  const spend = <T>(capability: () => T): Outcome<T> => {
    if (spent) return fail("lifecycle_conflict", "this connection's one write has been handed out");
    spent = true;
    return succeed(capability());
  };
  return {
    username,
    description,
    http: http.reader(),
    check: (path) => http.check(path),
    write: () => spend(() => http.intoWrite()),
    upgrade: (bounds) => spend(() => http.intoUpgradeWrite(bounds)),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

function isSamePlace(a: ConnectionDescription, b: ConnectionDescription): boolean {
  return (
    a.base_url === b.base_url && a.tls_name === b.tls_name && a.trust_sha256 === b.trust_sha256
  );
}
