import type { Approver } from "@connectors/domain";
import { fail, type Outcome } from "@connectors/sdk";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { didYouMean } from "../output/did-you-mean.js";
import { printFailure } from "../output/print-failure.js";
import { formatTable } from "../output/table.js";
import type { ApproverFlags } from "../program/approval-commands.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

/** Prints rows of the approvers' table, or the failure. */
export function printApprovers(
  world: World,
  rows: Outcome<readonly Approver[]>,
  flags: CommonFlags,
): number {
  if (!rows.ok) {
    printFailure(world, rows.failure, flags.output);
    return exitCodes.nothingDone;
  }
  if (flags.output === "json") world.out(`${JSON.stringify(rows.value)}\n`);
  else if (flags.output === "jsonl") {
    for (const row of rows.value) world.out(`${JSON.stringify(row)}\n`);
  } else {
    const cells = rows.value.map((row) => [
      row.name,
      row.state,
      row.operations.join(","),
      row.adapters.join(","),
      row.kid,
    ]);
    world.out(formatTable(["APPROVER", "STATE", "OPERATIONS", "ADAPTERS", "KEY"], cells));
  }
  return exitCodes.ok;
}

/** Lists who may approve what. */
export async function runApproversList(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) =>
    printApprovers(world, await host.approvers.list(), flags),
  );
}

/** Lets a public key approve some operations. */
export async function runApproversAdd(
  world: World,
  name: string,
  flags: ApproverFlags,
): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const added = await host.approvers.add({
      name,
      publicKey: flags.publicKey ?? "",
      operations: flags.operations ?? [],
      adapters: flags.adapters ?? ["*"],
    });
    return printApprovers(world, added.ok ? { ok: true, value: [added.value] } : added, flags);
  });
}

/** Ends every key of an approver, at once. */
export async function runApproversRevoke(
  world: World,
  name: string,
  flags: CommonFlags,
): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const listed = await host.approvers.list();
    if (!listed.ok) return printApprovers(world, listed, flags);
    const rows = listed.value.filter((row) => row.name === name);
    if (rows.length === 0) {
      const known = listed.value.map((row) => row.name);
      return printApprovers(
        world,
        fail("not_found", `there is no approver of that name.${didYouMean(name, known)}`),
        flags,
      );
    }
    const revoked: Approver[] = [];
    for (const row of rows) {
      if (row.state === "revoked") continue;
      const done = await host.approvers.revoke(row.kid);
      if (!done.ok) return printApprovers(world, done, flags);
      revoked.push(done.value);
    }
    return printApprovers(world, { ok: true, value: revoked }, flags);
  });
}
