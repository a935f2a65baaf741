import { canonicalJson } from "@connectors/domain";
import type { Json } from "./adapter.js";

/**
 * The RFC 8785 (JCS) text of `value`, which is what every digest of ours is made from.
 *
 * Throws a `TypeError` for what no parser of ours yields (non-finite numbers, lone surrogates,
 * nesting beyond every bound): a digest never covers something that was dropped or replaced.
 */
export function encodeCanonical(value: Json): string {
  return canonicalJson(value);
}
