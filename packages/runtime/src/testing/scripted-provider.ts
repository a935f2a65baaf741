import { parseProvider, type OperationDeclaration, type Provider } from "@connectors/domain";
import {
  fail,
  makeFailure,
  succeed,
  type Adapter,
  type AuthenticatedCheck,
  type AuthenticatedHttp,
  type CapturedConnection,
  type Connection,
  type Json,
  type JsonObject,
  type Outcome,
  type PreparedWrite,
  type Settlement,
  type WriteCapability,
} from "@connectors/sdk";
import type { AdapterRegistration } from "../adapters/installed-adapter.js";
import { trusted } from "../identity/trusted.js";
import { scriptedDeclarations } from "./scripted-declarations.js";

/** What the provider does at each point where it is asked anything; replaced by tests. */
export interface ProviderScript {
  /** Where the connection's files lead. */
  describe: () => Promise<Outcome<Omit<Provider, "username">>>;
  /** Who the provider says we are. */
  review: (signal: AbortSignal) => Promise<Outcome<string>>;
  preflight: (signal: AbortSignal) => Promise<Outcome<null>>;
  /** Asked when the one capability is taken, before anything is sent. */
  open: () => Outcome<null>;
  /** What the adapter says of its send; `input` is what it was given at preflight. */
  settle: (input: JsonObject, signal: AbortSignal) => Promise<Settlement>;
  read: (input: JsonObject, signal: AbortSignal) => Promise<Outcome<JsonObject>>;
}

/** One send that the provider has seen. */
export interface SeenDispatch {
  readonly operation: string;
  readonly correlation: string;
  readonly input: JsonObject;
}

/** What the provider has seen; only ever grows. */
export interface SeenByProvider {
  describes: number;
  captures: number;
  disposals: number;
  preflights: number;
  cancels: number;
  reads: number;
  readonly dispatches: SeenDispatch[];
}

/** A provider that counts, and does what it is told: real implementations of the ports. */
export interface ScriptedProvider {
  readonly adapter: Adapter;
  readonly connection: Connection;
  readonly registration: AdapterRegistration;
  readonly script: ProviderScript;
  readonly seen: SeenByProvider;
}

/** Where the scripted connection leads, and who we are there. */
export const scriptedPlace: Provider = trusted(
  parseProvider({
    base_url: "https://127.0.0.1:6443/",
    tls_name: "127.0.0.1",
    trust_sha256: "a".repeat(64),
    username: "system:serviceaccount:web:changer",
  }),
  "the scripted place fits its model",
);

/** A settlement of success. */
export function appliedWith(result: JsonObject): Settlement {
  const provider = { http_status: 200, resource_version: "8124" };
  return { kind: "applied", result, summary: null, provider };
}

/** A provider whose every answer is success until its script says otherwise. */
export function makeScriptedProvider(
  options: {
    readonly name?: string;
    readonly declarations?: readonly OperationDeclaration[];
    readonly namespaces?: readonly string[];
  } = {},
): ScriptedProvider {
  const { username, ...place } = scriptedPlace;
  const script: ProviderScript = {
    describe: () => Promise.resolve(succeed(place)),
    review: () => Promise.resolve(succeed(username)),
    preflight: () => Promise.resolve(succeed(null)),
    open: () => succeed(null),
    settle: (input) => Promise.resolve(appliedWith({ changed: textOf(input["name"]) })),
    read: (input) => Promise.resolve(succeed({ changed: textOf(input["name"]) })),
  };
  const seen: SeenByProvider = {
    describes: 0,
    captures: 0,
    disposals: 0,
    preflights: 0,
    cancels: 0,
    reads: 0,
    dispatches: [],
  };
  const adapter = makeScriptedAdapter(script, seen, {
    declarations: options.declarations ?? scriptedDeclarations,
    namespaces: options.namespaces ?? ["web"],
  });
  const connection = makeScriptedConnection(script, seen);
  const probed = { provider: scriptedPlace, at_ms: 0 };
  const registration = { name: options.name ?? "prod", adapter, connection, probed };
  return { adapter, connection, registration, script, seen };
}

function makeScriptedAdapter(
  script: ProviderScript,
  seen: SeenByProvider,
  configured: {
    readonly declarations: readonly OperationDeclaration[];
    readonly namespaces: readonly string[];
  },
): Adapter {
  const { declarations, namespaces } = configured;
  return {
    describe: () => ({
      adapter: "scripted",
      operations: declarations,
      unconfigured: ["thing.remove"],
      configuration: { namespaces },
    }),
    check(_operation, input) {
      const { namespace, name, command = null } = input;
      if (typeof namespace !== "string" || typeof name !== "string" || name === "") {
        return fail("invalid_input", "/name must be a text");
      }
      if (!namespaces.includes(namespace)) return fail("forbidden", "No such namespace here.");
      if (command !== null && !isTexts(command)) {
        return fail("invalid_input", "/command must be a list of texts");
      }
      const seconds = input["timeout_seconds"];
      const providerMs = typeof seconds === "number" ? seconds * 1000 : 10_000;
      const limits = { execution_ms: providerMs + 5000, provider_ms: providerMs };
      return succeed({ namespace, name, command, ...(command === null ? {} : { limits }) });
    },
    checkResult: (_operation, result) =>
      typeof result["changed"] === "string"
        ? succeed(result)
        : fail("invalid_input", "/changed must be a text"),
    read(_operation, input, { signal }) {
      seen.reads += 1;
      return script.read(input, signal);
    },
    async prepareWrite({ operation, input, signal }) {
      seen.preflights += 1;
      const ready = await script.preflight(signal);
      return ready.ok ? succeed(makePrepared(operation, input, script, seen)) : ready;
    },
  };
}

function makePrepared(
  operation: string,
  input: JsonObject,
  script: ProviderScript,
  seen: SeenByProvider,
): PreparedWrite {
  let spent = false;
  return {
    needs: { kind: "write" },
    async execute(capability: WriteCapability, { correlation, signal }) {
      if (spent) throw new Error("executed twice");
      spent = true;
      if (capability.kind !== "write") throw new Error("handed the wrong capability");
      const request = {
        method: "PATCH",
        segments: [operation],
        contentType: "application/json",
        accept: "application/json",
        body: new TextEncoder().encode(JSON.stringify(input)),
      } as const;
      // The connection counts the send; what the answer means is the script's.
      const sent = await capability.write.send(request, { correlation, signal });
      if (!sent.ok && sent.failure.sent === "no") {
        const provider = { http_status: null, resource_version: null };
        return { kind: "refused", failure: sent.failure.failure, stage: "dispatch", provider };
      }
      return script.settle(input, signal);
    },
    cancel() {
      seen.cancels += 1;
    },
  };
}

function makeScriptedConnection(script: ProviderScript, seen: SeenByProvider): Connection {
  return {
    describe() {
      seen.describes += 1;
      return script.describe();
    },
    async capture({ signal }) {
      seen.captures += 1;
      const username = await script.review(signal);
      return username.ok ? succeed(makeCaptured(username.value, script, seen)) : username;
    },
  };
}

function makeCaptured(
  username: string,
  script: ProviderScript,
  seen: SeenByProvider,
): CapturedConnection {
  let taken = false;
  return {
    username,
    http: nothingToGet,
    check: () => nothingToCheck,
    write() {
      if (taken) return fail("not_granted", "This connection's one write was taken.");
      taken = true;
      const open = script.open();
      if (!open.ok) return open;
      let sent = false;
      return succeed({
        send(request, { correlation }) {
          if (sent) {
            const failure = makeFailure("not_granted", "This write was sent.");
            return Promise.resolve({ ok: false, failure: { failure, sent: "no" } });
          }
          sent = true;
          const input = JSON.parse(new TextDecoder().decode(request.body));
          seen.dispatches.push({ operation: request.segments[0] ?? "", correlation, input });
          const body = new Uint8Array();
          return Promise.resolve(succeed({ status: 200, headers: new Map(), body }));
        },
      });
    },
    upgrade: () => fail("not_granted", "This provider has no streams."),
    [Symbol.asyncDispose]() {
      seen.disposals += 1;
      return Promise.resolve();
    },
  };
}

const unreachable = (): Promise<Outcome<never>> =>
  Promise.resolve(fail("unavailable", "This provider has nothing to read over HTTP."));

const nothingToGet: AuthenticatedHttp = {
  get: unreachable,
  getPrefix: unreachable,
  getStream: unreachable,
};

const nothingToCheck: AuthenticatedCheck = { check: unreachable };

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
