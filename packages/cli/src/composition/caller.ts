import { parseCaller, parseName, type Caller, type Name } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";

/** Who asks: this process's own user. */
export function toCaller(world: World): Outcome<Caller> {
  const parsed = parseCaller(world.caller);
  return parsed.ok
    ? succeed(parsed.value)
    : fail("invalid_input", "this user's name cannot be a caller", {
        hint: "Run as a user whose name is plain ASCII without spaces.",
      });
}

/** The approver that `init` makes for this user: the user's name, as a name of ours. */
export function toApproverName(world: World): Outcome<Name> {
  const plain = world.userName.toLowerCase().replaceAll(/[^a-z0-9._-]/g, "-");
  const parsed = parseName(plain);
  return parsed.ok
    ? succeed(parsed.value)
    : fail("invalid_input", "this user's name cannot be an approver's name");
}
