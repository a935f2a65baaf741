import type { FrozenWrite, Host } from "@connectors/runtime";
import { fail, type JsonObject, type Outcome } from "@connectors/sdk";
import type { OperationPath } from "../composition/operation-name.js";
import { findDeclaration, readOperationInput } from "../input/operation-input.js";
import { escapeLine } from "../output/escape.js";
import { styleOf } from "../output/style.js";
import type { PrepareFlags, WriteFlags } from "../program/write-commands.js";
import type { World } from "../world/world.js";
import { readCurrentVersion } from "./current-version.js";
import { makeIdempotencyKey } from "./idempotency-key.js";

/** What is frozen from a command line, and how. */
export interface FreezeLine {
  readonly path: OperationPath;
  readonly pairs: readonly string[];
  readonly flags: PrepareFlags & WriteFlags;
  readonly signal: AbortSignal;
}

/** `--at-current` replaces uid and resource_version by what one read says now. */
async function completeInput(
  world: World,
  host: Host,
  line: FreezeLine,
): Promise<Outcome<JsonObject>> {
  const input = await readOperationInput(world, host, line.path, line);
  if (!input.ok || line.flags.atCurrent !== true) return input;
  if (line.path.operation !== "deployment.rollout_restart") {
    return fail("invalid_input", "--at-current is for deployment.rollout_restart");
  }
  if (line.flags.key !== undefined) {
    return fail("invalid_input", "--at-current and --key do not go together", {
      hint: "A retry with that key would freeze a newer version: use `prepare --at-current`, then `write --prepared`.",
    });
  }
  return readCurrentVersion(world, host, line, input.value);
}

/** A keyed operation always has a key: the caller's, or a new one, which is told before anything. */
function chooseKey(world: World, host: Host, line: FreezeLine): string | null {
  const found = findDeclaration(host, line.path);
  const { key, quiet } = line.flags;
  if (key !== undefined || !found.ok || found.value.idempotency.kind !== "keyed") {
    return key ?? null;
  }
  const made = makeIdempotencyKey(world.ambient);
  if (quiet !== true) world.err(`${styleOf(world).dim("key:")} ${made}\n`);
  return made;
}

/** The frozen write that a command line describes; nothing has been sent but `--at-current`'s read. */
export async function freezeLine(
  world: World,
  host: Host,
  line: FreezeLine,
): Promise<Outcome<FrozenWrite>> {
  const input = await completeInput(world, host, line);
  if (!input.ok) return input;
  const key = chooseKey(world, host, line);
  return host.freezeWrite({
    ...line.path,
    input: input.value,
    key,
    ...(line.flags.valid === undefined ? {} : { validMs: line.flags.valid }),
  });
}

/** What a frozen write is about, in a few words: "deployment web/api". */
export function describeTarget(operation: string, input: JsonObject): string {
  const text = (name: string): string => {
    const value = input[name];
    return typeof value === "string" ? value : "";
  };
  const { command } = input;
  if (operation === "pods.exec" && Array.isArray(command)) {
    const program = escapeLine(JSON.stringify(command[0]));
    return `${program} in ${text("namespace")}/${text("pod")} (${text("container")})`;
  }
  if (operation === "deployment.rollout_restart") {
    return `deployment ${text("namespace")}/${text("name")}`;
  }
  return operation;
}
