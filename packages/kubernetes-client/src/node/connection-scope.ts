import {
  sha256Hex,
  fail,
  invariant,
  encodeCanonical,
  type Ambient,
  type Outcome,
} from "@connectors/sdk";
import {
  isSameCredential,
  openScopedHttp,
  type CapturedHttp,
  type CredentialLines,
  type ScopedHttp,
} from "@connectors/transport";
import type { ConnectionFiles } from "./connection-files.js";

/** The sockets of one connection, kept while its files lead to the same place. */
export interface ConnectionScope {
  /** A scope on the files' address, with this credential and no other. */
  capture(
    files: ConnectionFiles,
    credential: CredentialLines,
    signal: AbortSignal,
  ): Promise<Outcome<CapturedHttp>>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Open {
  readonly key: string;
  readonly scope: ScopedHttp;
  /** What the scope's source answers with; set in the very turn in which it is asked. */
  readonly next: { credential: CredentialLines | undefined };
}

/** No socket is opened before the first request. */
export function makeConnectionScope(ambient: Ambient): ConnectionScope {
  let open: Open | undefined;
  let closed = false;

  // In one turn, so that no two captures open two scopes.
  function reach(files: ConnectionFiles): Outcome<Open> {
    if (closed) return fail("unavailable", "this connection has been given up");
    const key = describeKey(files);
    if (open?.key === key) return { ok: true, value: open };
    // Captures of the old place keep their sockets until they are disposed of.
    void open?.scope[Symbol.asyncDispose]();
    open = undefined;
    const next: Open["next"] = { credential: undefined };
    const scope = openScope(files, next, ambient);
    if (!scope.ok) return scope;
    open = { key, scope: scope.value, next };
    return { ok: true, value: open };
  }

  return {
    async capture(files, credential, signal) {
      const reached = reach(files);
      if (!reached.ok) return reached;
      reached.value.next.credential = credential;
      const captured = await reached.value.scope.capture({ signal });
      if (!captured.ok) return captured;
      invariant(isSameCredential(captured.value.credential, credential), "a capture keeps its own");
      return captured;
    },
    async [Symbol.asyncDispose]() {
      const last = open;
      open = undefined;
      closed = true;
      await last?.scope[Symbol.asyncDispose]();
    },
  };
}

function openScope(
  { description, cluster, trust }: ConnectionFiles,
  next: Open["next"],
  ambient: Ambient,
): Outcome<ScopedHttp> {
  return openScopedHttp({
    baseUrl: description.base_url,
    tls: {
      ...(trust.caPem === null ? {} : { ca: Buffer.from(trust.caPem, "latin1") }),
      ...(cluster.serverName === null ? {} : { serverName: cluster.serverName }),
      ...(cluster.insecure ? { insecureSkipVerify: true } : {}),
    },
    credential: {
      resolve() {
        const { credential } = next;
        invariant(credential !== undefined, "a scope is asked for no credential of its own");
        return Promise.resolve({ ok: true, value: credential });
      },
    },
    ...(cluster.proxyUrl === null ? {} : { proxyUrl: cluster.proxyUrl.reveal() }),
    ambient,
  });
}

function describeKey({ description, cluster, trust }: ConnectionFiles): string {
  const proxy = cluster.proxyUrl?.reveal() ?? null;
  return sha256Hex(
    encodeCanonical([{ ...description }, trust.caPem, cluster.serverName, cluster.insecure, proxy]),
  );
}
