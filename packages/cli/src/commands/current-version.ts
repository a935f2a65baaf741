import { parseDeploymentsGetResult, type DeploymentsGetResult } from "@connectors/domain";
import type { FrozenWrite, Host } from "@connectors/runtime";
import { fail, succeed, type JsonObject, type Outcome } from "@connectors/sdk";
import { escapeLine } from "../output/escape.js";
import { withProgress } from "../output/progress.js";
import { failUsage } from "../usage-failure.js";
import type { World } from "../world/world.js";
import type { FreezeLine } from "./freeze-line.js";

function describe(seen: DeploymentsGetResult): readonly string[] {
  const { replicas } = seen;
  return [
    `deployment ${seen.namespace}/${seen.name} as it is now`,
    `  images       ${seen.images.map(escapeLine).join(", ")}`,
    `  replicas     ${replicas.ready} ready of ${replicas.wanted} wanted${seen.paused ? ", PAUSED" : ""}`,
    `  generation   ${seen.generation}`,
    `  last restart ${seen.restarted_at === null ? "never" : escapeLine(seen.restarted_at)}`,
    `  uid          ${escapeLine(seen.uid)}`,
    `  version      ${seen.resource_version}`,
  ];
}

/** Stands in for what the read is still to say; nothing with it is kept, shown or approved. */
const standIn = { uid: "0", resource_version: "1" } as const;

/** Freezes with a stand-in for the version: what would be refused anyway is, before the read. */
function tryFreeze(
  host: Host,
  { path, flags: { valid } }: Pick<FreezeLine, "path" | "flags">,
  input: JsonObject,
): Promise<Outcome<FrozenWrite>> {
  return host.freezeWrite({
    ...path,
    input: { ...input, ...standIn },
    key: "stand-in",
    ...(valid === undefined ? {} : { validMs: valid }),
  });
}

/** The input at the version that one read finds; what was found is shown first. */
export async function readCurrentVersion(
  world: World,
  host: Host,
  { path, flags }: Pick<FreezeLine, "path" | "flags">,
  input: JsonObject,
): Promise<Outcome<JsonObject>> {
  if (input["uid"] !== undefined || input["resource_version"] !== undefined) {
    return failUsage("invalid_input", "--at-current reads uid and resource_version itself", {
      hint: "Leave them out, or leave --at-current out.",
    });
  }
  const { namespace, name } = input;
  if (namespace === undefined || name === undefined) {
    return failUsage("invalid_input", "--at-current needs namespace and name", {
      hint: "Give namespace=NAMESPACE and name=NAME.",
    });
  }
  const sound = await tryFreeze(host, { path, flags }, input);
  if (!sound.ok) return sound;
  const { signal } = world.interrupt;
  const what = `asking ${path.adapter} for the Deployment`;
  const read = await withProgress(world, flags, what, () =>
    host.read({
      adapter: path.adapter,
      operation: "deployments.get",
      input: { namespace, name },
      signal,
    }),
  );
  if (!read.ok) return read;
  const parsed = parseDeploymentsGetResult(read.value);
  if (!parsed.ok) return fail("upstream_protocol", "the Deployment was not read whole");
  if (flags.quiet !== true) {
    world.err(
      describe(parsed.value)
        .map((text) => `${text}\n`)
        .join(""),
    );
  }
  const { uid, resource_version } = parsed.value;
  return succeed({ ...input, uid, resource_version });
}
