import { upgradeMessageBytesMax, upgradeMsMax, upgradeTotalBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome, type UpgradeBounds } from "@connectors/sdk";
import { isWithin } from "./reach.js";

/** The bounds, when each is at least 1, under its ceiling, and no message exceeds the whole. */
export function makeUpgradeBounds(bounds: UpgradeBounds): Outcome<UpgradeBounds> {
  const { messageBytesMax, totalBytesMax, timeoutMs } = bounds;
  if (!isWithin(messageBytesMax, upgradeMessageBytesMax)) {
    return fail("invalid_input", "The bound of one message is not in its range.");
  }
  if (!isWithin(totalBytesMax, upgradeTotalBytesMax) || totalBytesMax < messageBytesMax) {
    return fail("invalid_input", "The bound of the whole stream is not in its range.");
  }
  if (!isWithin(timeoutMs, upgradeMsMax)) {
    return fail("invalid_input", "The time limit of the stream is not in its range.");
  }
  return succeed({ messageBytesMax, totalBytesMax, timeoutMs });
}
