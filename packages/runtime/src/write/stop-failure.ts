import { makeFailure, type Failure } from "@connectors/sdk";
import type { Stop } from "./stop.js";

/** The failure of a step that the deadline or the caller ended before the gate, if one did. */
export function stopFailure(stop: Stop): Failure | undefined {
  switch (stop.reason()) {
    case "timeout":
      return makeFailure("timeout", "The deadline passed before anything was sent.");
    case "interrupted":
      return makeFailure("interrupted", "Stopped before anything was sent.");
    case null:
      return undefined;
  }
}
