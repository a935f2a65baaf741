import {
  fail,
  makeFailure,
  succeed,
  type Adapter,
  type CheckedInput,
  type Json,
  type JsonObject,
  type Outcome,
  type PreparedWrite,
  type Settlement,
} from "@connectors/sdk";
import { soundFailure } from "../failure/sound-failure.js";

/**
 * The same adapter, which no longer throws or rejects: what its code does wrong comes back as
 * `internal`, and after a dispatch as `unknown`.
 *
 * An adapter is somebody else's code in our process. A throw of it must neither end a host that
 * has other work nor leave an attempt unsettled.
 */
export function guardAdapter(adapter: Adapter): Adapter {
  return {
    describe: () => adapter.describe(),
    check: (operation, input) =>
      guard(() => soundOutcome(adapter.check(operation, input), isCheckedInput)),
    checkResult: (operation, result) =>
      guard(() => soundOutcome(adapter.checkResult(operation, result), isJsonObject)),
    read: (operation, input, capabilities) =>
      guardAsync(async () =>
        soundOutcome(await adapter.read(operation, input, capabilities), isJsonObject),
      ),
    prepareWrite: (request) =>
      guardAsync(async () => {
        const prepared = soundOutcome(await adapter.prepareWrite(request), isPreparedWrite);
        return prepared.ok ? succeed(guardPrepared(prepared.value)) : prepared;
      }),
  };
}

function guardPrepared(prepared: PreparedWrite): PreparedWrite {
  return {
    needs: prepared.needs,
    async execute(capability, options) {
      try {
        const settlement = await prepared.execute(capability, options);
        return isSettlement(settlement) ? settlement : brokenSettlement;
      } catch {
        return brokenSettlement;
      }
    },
    cancel() {
      guard(() => succeed(prepared.cancel()));
    },
  };
}

const brokenSettlement: Settlement = {
  kind: "unknown",
  failure: makeFailure("outcome_unknown", "The adapter broke off after the write may have left."),
  code: "internal",
  stage: "dispatch",
  provider: { http_status: null, resource_version: null },
};

function guard<T>(call: () => Outcome<T>): Outcome<T> {
  try {
    return call();
  } catch {
    return broken;
  }
}

async function guardAsync<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call();
  } catch {
    return broken;
  }
}

const broken = fail("internal", "The adapter broke off with an error of its own.");

// The types say that these hold; an adapter in JavaScript, or one that casts, never heard of them.
function soundOutcome<T>(outcome: Outcome<T>, isSound: (value: T) => boolean): Outcome<T> {
  if (!outcome.ok) return { ok: false, failure: soundFailure(outcome.failure) };
  return isSound(outcome.value)
    ? outcome
    : fail("internal", "The adapter gave an answer that nobody can use.");
}

function isCheckedInput(value: CheckedInput): boolean {
  const { namespace, name, command, limits } = value;
  const isCommand = command === null || (isList(command) && command.every(isText));
  const isLimits = limits === undefined || Object.values(limits).every(isPositive);
  return isText(namespace) && isText(name) && isCommand && isLimits;
}

function isPreparedWrite(value: PreparedWrite): boolean {
  const kind: unknown = value.needs.kind;
  return (
    (kind === "write" || kind === "upgrade") &&
    typeof value.execute === "function" &&
    typeof value.cancel === "function"
  );
}

const settlementKinds: ReadonlySet<unknown> = new Set([
  "applied",
  "applied_failure",
  "refused",
  "unknown",
] satisfies Settlement["kind"][]);

function isSettlement(value: unknown): value is Settlement {
  return typeof value === "object" && value !== null && "kind" in value
    ? settlementKinds.has(value.kind)
    : false;
}

function isJsonObject(value: JsonObject): boolean {
  const json: Json = value;
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
