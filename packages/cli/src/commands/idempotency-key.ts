import { makeUuidV7 } from "@connectors/runtime";
import type { Ambient } from "@connectors/sdk";

/** A key that nobody used before: a UUIDv7. */
export function makeIdempotencyKey({ clock, random }: Ambient): string {
  return makeUuidV7(clock, random)();
}
