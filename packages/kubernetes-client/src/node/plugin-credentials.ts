import { execPluginLeewayMs } from "@connectors/domain";
import { encodeCanonical, fail, sha256Hex, type Outcome } from "@connectors/sdk";
import type { ExecCredential } from "./exec-credential.js";
import { runExecPlugin, type PluginHost, type PluginRequest } from "./exec-plugin.js";

/** The credentials that exec plugins gave to one connection, kept while they are good. */
export interface PluginCredentials {
  /**
   * The credential of the plugin: the kept one until `execPluginLeewayMs` before it expires, else
   * from one new run, however many ask at once. The run ends when nobody waits for it any more.
   */
  resolve(request: PluginRequest, signal: AbortSignal): Promise<Outcome<ExecCredential>>;
  /** Drops what is kept, as after a 401; true when there was something to drop. */
  forget(): boolean;
}

interface Kept {
  readonly key: string;
  readonly credential: ExecCredential;
}

interface Run {
  readonly key: string;
  readonly result: Promise<Outcome<ExecCredential>>;
  readonly abort: AbortController;
  waiters: number;
}

/** Credentials of plugins that run in `host`. Nothing is kept anywhere but in this object. */
export function makePluginCredentials(host: PluginHost): PluginCredentials {
  let kept: Kept | undefined;
  let running: Run | undefined;

  function start(key: string, request: PluginRequest): Run {
    const abort = new AbortController();
    const run: Run = { key, abort, waiters: 0, result: runExecPlugin(request, host, abort.signal) };
    running = run;
    void run.result.then((outcome) => {
      if (running === run) running = undefined;
      if (outcome.ok) kept = { key, credential: outcome.value };
    });
    return run;
  }

  return {
    async resolve(request, signal) {
      // An edited kubeconfig has another key, so that no credential of its old text is used.
      const key = describeKey(request);
      if (kept?.key === key && isFresh(kept.credential, host.ambient.clock.nowMs())) {
        return { ok: true, value: kept.credential };
      }
      const shared = running?.key === key && !running.abort.signal.aborted;
      const run = shared && running !== undefined ? running : start(key, request);
      return waitFor(run, signal);
    },
    forget() {
      const had = kept !== undefined;
      kept = undefined;
      return had;
    },
  };
}

function isFresh({ expiresAtMs }: ExecCredential, nowMs: number): boolean {
  return expiresAtMs === null || nowMs < expiresAtMs - execPluginLeewayMs;
}

function describeKey({ plugin, cluster, caPem }: PluginRequest): string {
  const { version, command, variables, provideClusterInfo, interactiveMode } = plugin;
  const parts = [version, command, [...plugin.arguments], variables.map((pair) => [...pair])];
  const address = [cluster.server.given, cluster.serverName, cluster.insecure, caPem];
  return sha256Hex(
    encodeCanonical([...parts, provideClusterInfo, interactiveMode, address, cluster.pluginConfig]),
  );
}

async function waitFor(run: Run, signal: AbortSignal): Promise<Outcome<ExecCredential>> {
  const stopped = fail("interrupted", "the exec plugin was stopped");
  if (signal.aborted && run.waiters === 0) run.abort.abort();
  if (signal.aborted) return stopped;
  run.waiters += 1;
  let stop = (): void => undefined;
  const aborted = new Promise<Outcome<ExecCredential>>((resolve) => {
    stop = () => resolve(stopped);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([run.result, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    run.waiters -= 1;
    if (run.waiters === 0) run.abort.abort();
  }
}
