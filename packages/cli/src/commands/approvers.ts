import type { Approver } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { OpenedHost } from "../composition/open-host.js";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { didYouMean } from "../output/did-you-mean.js";
import { printRows } from "../output/print-rows.js";
import { formatTable } from "../output/table.js";
import type { ApproverFlags } from "../program/approval-commands.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

/** Does something with the approvers' table and prints the rows that it answers with. */
export function showApprovers(
  world: World,
  flags: CommonFlags,
  act: (opened: OpenedHost) => Promise<Outcome<readonly Approver[]>>,
): Promise<number> {
  return withHost(world, flags, "none", async (opened) => {
    const rows = await act(opened);
    if (!rows.ok) return rows;
    printRows(world, flags.output, rows.value, () =>
      formatTable(
        ["APPROVER", "STATE", "OPERATIONS", "ADAPTERS", "KEY"],
        rows.value.map((row) => [
          row.name,
          row.state,
          row.operations.join(","),
          row.adapters.join(","),
          row.kid,
        ]),
      ),
    );
    return succeed(exitCodes.ok);
  });
}

/** Lists who may approve what. */
export function runApproversList(world: World, flags: CommonFlags): Promise<number> {
  return showApprovers(world, flags, ({ host }) => host.approvers.list());
}

/** Lets a public key approve some operations. */
export function runApproversAdd(world: World, name: string, flags: ApproverFlags): Promise<number> {
  const { publicKey, operations, adapters } = flags;
  return showApprovers(world, flags, async ({ host }) => {
    const added = await host.approvers.add({ name, publicKey, operations, adapters });
    return added.ok ? succeed([added.value]) : added;
  });
}

/** Ends every key of an approver, at once. */
export function runApproversRevoke(
  world: World,
  name: string,
  flags: CommonFlags,
): Promise<number> {
  return showApprovers(world, flags, async ({ host }) => {
    const listed = await host.approvers.list();
    if (!listed.ok) return listed;
    const rows = listed.value.filter((row) => row.name === name);
    if (rows.length === 0) {
      const known = listed.value.map((row) => row.name);
      return fail("not_found", `there is no approver of that name.${didYouMean(name, known)}`, {
        hint: "`connectors approvers list` lists them.",
      });
    }
    const revoked: Approver[] = [];
    for (const row of rows) {
      if (row.state === "revoked") continue;
      const done = await host.approvers.revoke(row.kid);
      if (!done.ok) return done;
      revoked.push(done.value);
    }
    return succeed(revoked);
  });
}
