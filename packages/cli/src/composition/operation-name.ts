import { succeed, type Outcome } from "@connectors/sdk";
import { failUsage } from "../usage-failure.js";

/** An operation of one adapter, as it is written: ADAPTER/OPERATION. */
export interface OperationPath {
  readonly adapter: string;
  readonly operation: string;
}

/** The two halves of ADAPTER/OPERATION. */
export function parseOperationPath(text: string | undefined): Outcome<OperationPath> {
  const match = /^([^/]+)\/([^/]+)$/.exec(text ?? "");
  if (match === null) {
    return failUsage("invalid_input", "name the operation as ADAPTER/OPERATION", {
      hint: "`connectors operations` lists them.",
    });
  }
  return succeed({ adapter: match[1] ?? "", operation: match[2] ?? "" });
}
