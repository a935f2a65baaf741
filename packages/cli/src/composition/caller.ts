import { parseCaller, parseName, type Caller, type Name } from "@connectors/domain";
import { approverNameOf } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";

/** Who asks: `os:NAME` of this process's own user. */
export function toCaller({ userName }: World): Outcome<Caller> {
  if (userName === null) {
    return fail("forbidden", "this process's user has no name in the user database", {
      hint: "Policy and approvals name people: add the user id to the system's passwd, or run as a named user.",
    });
  }
  const parsed = parseCaller(`os:${userName}`);
  return parsed.ok
    ? succeed(parsed.value)
    : fail("invalid_input", "this user's name cannot be a caller", {
        hint: "Run as a user whose name is plain ASCII without spaces.",
      });
}

/** The approver that `init` makes for this user: the user's name, as a name of ours. */
export function toApproverName({ userName }: World): Outcome<Name> {
  const parsed = parseName(approverNameOf(userName ?? ""));
  return parsed.ok
    ? succeed(parsed.value)
    : fail("invalid_input", "this user's name cannot be an approver's name", {
        hint: "Run as a user whose name begins with a letter or a digit.",
      });
}
