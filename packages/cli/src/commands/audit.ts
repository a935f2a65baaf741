import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { printFailure } from "../output/print-failure.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

const faults = {
  malformed: "is not an audit record",
  gap: "is missing",
  wrong_prev: "does not name the digest of the record before it",
  wrong_digest: "is not the one that the store's head names",
} as const;

/** Walks the chain and names the first record that does not fit. */
export async function runAuditVerify(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const verdict = await host.audit.verify();
    if (!verdict.ok) {
      printFailure(world, verdict.failure, flags.output);
      return exitCodes.nothingDone;
    }
    const { value } = verdict;
    if (flags.output !== "text") world.out(`${JSON.stringify(value)}\n`);
    else if (value.kind === "whole") {
      world.out(`whole: ${value.records} records, head ${value.head?.sha256 ?? "none"}\n`);
      if (flags.quiet !== true) {
        world.err(
          "A chain without a copy kept elsewhere shows accidents, not whoever owns the store: keep an export.\n",
        );
      }
    } else world.out(`broken: record ${value.sequence} ${faults[value.fault]}\n`);
    return value.kind === "whole" ? exitCodes.ok : exitCodes.nothingDone;
  });
}

/** Writes every record as JSON Lines. */
export async function runAuditExport(
  world: World,
  flags: CommonFlags & { readonly since: number },
): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    for await (const line of host.audit.export({ since: flags.since })) {
      if (!line.ok) {
        printFailure(world, line.failure, flags.output);
        return exitCodes.nothingDone;
      }
      await world.outWhole(line.value);
    }
    return exitCodes.ok;
  });
}
