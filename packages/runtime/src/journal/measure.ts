import {
  parseCounter,
  parseSha256,
  parseTimeMs,
  type Counter,
  type Parsed,
  type Sha256,
  type TimeMs,
} from "@connectors/domain";
import { invariant, sha256Hex } from "@connectors/sdk";

// What the journal computes itself goes through the same parsers as what it is given: a sum that
// left its range is a bug to stop at, not a row to store.
function trust<T>(parsed: Parsed<T>, what: string): T {
  invariant(parsed.ok, what);
  return parsed.value;
}

/** The moment as the model's type; throws for anything but milliseconds since the epoch. */
export function toTimeMs(ms: number): TimeMs {
  return trust(parseTimeMs(ms), "a computed time is a time");
}

/** The count as the model's type; throws for anything but a whole number from zero. */
export function toCounter(count: number): Counter {
  return trust(parseCounter(count), "a computed count is a count");
}

/** The SHA-256 of a text's UTF-8 bytes, as the model's type. */
export function digestOf(text: string): Sha256 {
  return trust(parseSha256(sha256Hex(text)), "a digest is a digest");
}
