/** The first bytes of one channel, and how many there were in all. */
export interface KeptBytes {
  readonly bytesMax: number;
  /** Newest first, so that keeping one more chunk costs the same however many there are. */
  readonly chunks: Chunk | null;
  readonly keptBytes: number;
  readonly seenBytes: number;
}

interface Chunk {
  readonly bytes: Uint8Array;
  readonly earlier: Chunk | null;
}

/** Nothing yet, and room for `bytesMax`. */
export function keepNothing(bytesMax: number): KeptBytes {
  return { bytesMax, chunks: null, keptBytes: 0, seenBytes: 0 };
}

/** The same with `bytes` after it; what does not fit is counted and dropped. */
export function stepKeptBytes(kept: KeptBytes, bytes: Uint8Array): KeptBytes {
  const seenBytes = kept.seenBytes + bytes.byteLength;
  const room = kept.bytesMax - kept.keptBytes;
  if (room === 0 || bytes.byteLength === 0) return { ...kept, seenBytes };
  const fitting = bytes.subarray(0, room);
  return {
    bytesMax: kept.bytesMax,
    chunks: { bytes: fitting, earlier: kept.chunks },
    keptBytes: kept.keptBytes + fitting.byteLength,
    seenBytes,
  };
}

/** True when something was dropped; exactly at the bound nothing is. */
export function isTruncated({ keptBytes, seenBytes }: KeptBytes): boolean {
  return seenBytes > keptBytes;
}

/** What was kept, as one piece. */
export function joinKeptBytes({ chunks, keptBytes }: KeptBytes): Uint8Array {
  const whole = new Uint8Array(keptBytes);
  let end = keptBytes;
  for (let chunk = chunks; chunk !== null; chunk = chunk.earlier) {
    end -= chunk.bytes.byteLength;
    whole.set(chunk.bytes, end);
  }
  return whole;
}
