import { succeed } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { escapeJson } from "../output/escape.js";
import { printJson } from "../output/print-json.js";
import { withProgress } from "../output/progress.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

const faults = {
  malformed: "is not an audit record",
  gap: "is missing",
  wrong_prev: "does not name the digest of the record before it",
  wrong_digest: "is not the one that the store's head names",
} as const;

/** Walks the chain and names the first record that does not fit. */
export function runAuditVerify(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const verdict = await withProgress(world, flags, "walking the chain", () =>
      host.audit.verify(),
    );
    if (!verdict.ok) return verdict;
    const { value } = verdict;
    if (flags.output !== "text") printJson(world, value);
    else if (value.kind === "whole") {
      world.out(`whole: ${value.records} records, head ${value.head?.sha256 ?? "none"}\n`);
      if (flags.quiet !== true) {
        world.err(
          "A chain without a copy kept elsewhere shows accidents, not whoever owns the store: keep an export.\n",
        );
      }
    } else {
      world.out(`broken: record ${value.sequence} ${faults[value.fault]}\n`);
      if (flags.quiet !== true) {
        world.err("next: keep this state directory as it is, and compare it with an export.\n");
      }
    }
    return succeed(value.kind === "whole" ? exitCodes.ok : exitCodes.nothingDone);
  });
}

/** Writes every record as JSON Lines. */
export function runAuditExport(
  world: World,
  flags: CommonFlags & { readonly since: number },
): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const { signal } = world.interrupt;
    for await (const line of host.audit.export({ since: flags.since })) {
      if (!line.ok) return line;
      if (signal.aborted) return succeed(exitCodes.interrupted);
      const text = world.outIsTerminal ? `${escapeJson(line.value.trimEnd())}\n` : line.value;
      // Whoever read it has gone: the rest is for nobody.
      if (!(await world.outWhole(text))) break;
    }
    return succeed(exitCodes.ok);
  });
}
