import { parseKeptFailure, type KeptFailure } from "@connectors/domain";
import { invariant, type Failure } from "@connectors/sdk";

/** The failure as the ledger keeps it; throws for one that breaks its own bounds. */
export function keepFailure(failure: Failure): KeptFailure {
  const parsed = parseKeptFailure(failure);
  invariant(parsed.ok, "a failure keeps its own bounds");
  return parsed.value;
}
