import type { FrozenWrite, Host } from "@connectors/runtime";
import { fail, type JsonObject, type Outcome } from "@connectors/sdk";
import { findDeclaration, readOperationInput } from "../input/operation-input.js";
import { styleOf } from "../output/style.js";
import type { FreezeFlags } from "../program/write-commands.js";
import { failUsage } from "../usage-failure.js";
import type { World } from "../world/world.js";
import { readCurrentVersion } from "./current-version.js";
import { makeIdempotencyKey } from "./idempotency-key.js";
import type { PathLine } from "./operation-line.js";

/** What is frozen from a command line, and how. */
export type FreezeLine = PathLine<FreezeFlags>;

/** `--at-current` replaces uid and resource_version by what one read says now. */
async function completeInput(
  world: World,
  host: Host,
  line: FreezeLine,
): Promise<Outcome<JsonObject>> {
  const { path, flags } = line;
  if (flags.atCurrent === true && flags.key !== undefined) {
    return failUsage("invalid_input", "--at-current and --key do not go together", {
      hint: "A retry with that key would freeze a newer version: use `prepare --at-current`, then `write --prepared`.",
    });
  }
  const input = await readOperationInput(world, host, path, line);
  if (!input.ok || flags.atCurrent !== true) return input;
  if (path.operation !== "deployment.rollout_restart") {
    return failUsage("invalid_input", "--at-current is for deployment.rollout_restart", {
      hint: "Leave it out.",
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
  if (world.interrupt.signal.aborted) {
    return fail("interrupted", "it was interrupted before anything was frozen");
  }
  const { valid } = line.flags;
  return host.freezeWrite({
    ...line.path,
    input: input.value,
    key: chooseKey(world, host, line),
    ...(valid === undefined ? {} : { validMs: valid }),
  });
}
