import type { Parsed } from "@connectors/domain";
import { invariant } from "@connectors/sdk";

/** The parsed value, for what we made ourselves: a refusal is a bug of ours, and throws. */
export function trusted<T>(parsed: Parsed<T>, what: string): T {
  invariant(parsed.ok, what);
  return parsed.value;
}
