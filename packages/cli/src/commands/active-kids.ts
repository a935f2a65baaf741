import type { Kid } from "@connectors/domain";
import type { Host } from "@connectors/runtime";
import { succeed, type Outcome } from "@connectors/sdk";

/** The kids that the host's table holds as active, newest first. */
export async function listActiveKids(host: Host): Promise<Outcome<readonly Kid[]>> {
  const approvers = await host.approvers.list();
  if (!approvers.ok) return approvers;
  return succeed(
    approvers.value
      .filter(({ state }) => state === "active")
      .toSorted((a, b) => b.created_at_ms - a.created_at_ms)
      .map(({ kid }) => kid),
  );
}
