import type { Clock, Random } from "@connectors/sdk";

// RFC 9562 §5.7 with method 1 of §6.2: the twelve bits after the version count within a
// millisecond. They start in the lower half, so that 2048 more always fit before they overflow.
const counterMax = 0xfff;
const counterSeedMax = 0x7ff;

/**
 * Makes UUIDs of version 7, each greater as text than every earlier one of the same maker, also
 * when the clock stands still or steps back.
 */
export function makeUuidV7(clock: Clock, random: Random): () => string {
  let lastMs = -1;
  let counter = 0;
  return () => {
    const bytes = random.bytes(10);
    const nowMs = clock.nowMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = readPair(bytes) & counterSeedMax;
    } else if (counter < counterMax) {
      counter += 1;
    } else {
      lastMs += 1;
      counter = 0;
    }
    return encodeUuid(lastMs, counter, bytes.subarray(2));
  };
}

function readPair(bytes: Uint8Array): number {
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
}

function encodeUuid(ms: number, counter: number, tail: Uint8Array): string {
  const time = ms.toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  const rest = [...tail].map((byte, at) => (at === 0 ? (byte & 0x3f) | 0x80 : byte));
  const hex = rest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}
