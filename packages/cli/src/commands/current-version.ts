import { parseDeploymentsGetResult, type DeploymentsGetResult } from "@connectors/domain";
import type { Host } from "@connectors/runtime";
import { fail, succeed, type JsonObject, type Outcome } from "@connectors/sdk";
import { escapeLine } from "../output/escape.js";
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
    `  uid          ${seen.uid}`,
    `  version      ${seen.resource_version}`,
  ];
}

/** The input at the version that one read finds; what was found is shown first. */
export async function readCurrentVersion(
  world: World,
  host: Host,
  line: FreezeLine,
  input: JsonObject,
): Promise<Outcome<JsonObject>> {
  if (input["uid"] !== undefined || input["resource_version"] !== undefined) {
    return fail("invalid_input", "--at-current reads uid and resource_version itself", {
      hint: "Leave them out, or leave --at-current out.",
    });
  }
  const { namespace, name } = input;
  if (namespace === undefined || name === undefined) {
    return fail("invalid_input", "--at-current needs namespace and name");
  }
  const read = await host.read({
    adapter: line.path.adapter,
    operation: "deployments.get",
    input: { namespace, name },
    signal: line.signal,
  });
  if (!read.ok) return read;
  const parsed = parseDeploymentsGetResult(read.value);
  if (!parsed.ok) return fail("upstream_protocol", "the Deployment was not read whole");
  if (line.flags.quiet !== true) {
    world.err(
      describe(parsed.value)
        .map((text) => `${text}\n`)
        .join(""),
    );
  }
  const { uid, resource_version } = parsed.value;
  return succeed({ ...input, uid, resource_version });
}
