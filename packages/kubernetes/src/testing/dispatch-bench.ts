import {
  invariant,
  type Adapter,
  type AuthenticatedUpgrade,
  type JsonObject,
  type PreparedWrite,
  type Settlement,
} from "@connectors/sdk";
import { makeManualAmbient, type ManualAmbient } from "@connectors/sdk/testing";
import {
  makeCredentialLines,
  makeFixedCredential,
  openScopedHttp,
  type ScopedHttp,
} from "@connectors/transport";
import { makeKubernetesAdapter } from "../composition.js";
import { makeExampleOptions } from "./example-options.js";

/** The adapter on real sockets to one address, with a clock that only the test moves. */
export interface DispatchBench {
  readonly adapter: Adapter;
  readonly ambient: ManualAmbient;
  readonly http: ScopedHttp;
  /** Prepares and executes, as the runtime does between its gate and its settlement. */
  dispatch(operation: string, input: JsonObject, signal?: AbortSignal): Promise<Settlement>;
  prepare(operation: string, input: JsonObject): ReturnType<Adapter["prepareWrite"]>;
  execute(prepared: PreparedWrite, signal?: AbortSignal): Promise<Settlement>;
  /** How many upgrades were accepted so far. */
  acceptedCount(): number;
  [Symbol.asyncDispose](): Promise<void>;
}

const never = new AbortController().signal;

/** The attempt's id in every dispatch of a bench. */
export const benchCorrelation = "01930000-0000-7000-8000-000000000001";

/** An adapter whose every request goes to `baseUrl`, in the clear unless it is https. */
export function openDispatchBench(
  baseUrl: string,
  configuration: Parameters<typeof makeExampleOptions>[1] = {},
): DispatchBench {
  const ambient = makeManualAmbient();
  const credential = makeCredentialLines([["Authorization", "Bearer bench-t0ken"]]);
  invariant(credential.ok, "the token can be sent");
  const opened = openScopedHttp({
    baseUrl,
    allowPlaintext: "with_credential",
    credential: makeFixedCredential(credential.value),
    ambient,
  });
  invariant(opened.ok, "the address can be used");
  const http = opened.value;
  const adapter = makeKubernetesAdapter(makeExampleOptions(ambient.clock, configuration));

  let accepted = 0;
  const watched = (upgrade: AuthenticatedUpgrade): AuthenticatedUpgrade => ({
    async upgrade(request, options) {
      const outcome = await upgrade.upgrade(request, options);
      if (outcome.kind === "accepted") accepted += 1;
      return outcome;
    },
  });

  const bench: DispatchBench = {
    adapter,
    ambient,
    http,
    async dispatch(operation, input, signal) {
      const prepared = await bench.prepare(operation, input);
      invariant(prepared.ok, `${operation} can be prepared`);
      return bench.execute(prepared.value, signal);
    },
    prepare: (operation, input) =>
      adapter.prepareWrite({
        operation,
        input,
        http: http.reader(),
        check: (path) => http.check(path),
        nowMs: ambient.clock.nowMs(),
        signal: never,
      }),
    execute(prepared, signal = never) {
      const { needs } = prepared;
      const options = { correlation: benchCorrelation, signal };
      return needs.kind === "write"
        ? prepared.execute({ kind: "write", write: http.intoWrite() }, options)
        : prepared.execute(
            { kind: "upgrade", upgrade: watched(http.intoUpgradeWrite(needs.bounds)) },
            options,
          );
    },
    acceptedCount: () => accepted,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
  return bench;
}

/** Waits for `ready`, turn by turn, for at most ten seconds. */
export async function untilReady(ready: () => boolean): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!ready()) {
    invariant(performance.now() < endMs, "it happens within ten seconds");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
