import { execBounds } from "../exec-bounds.js";

/** What a client has sent and no program has read yet. */
export interface InputQueue {
  /** Adds bytes; says whether there is room for more. Ignored after the end. */
  readonly push: (bytes: Uint8Array) => boolean;
  /** There will be no more. */
  readonly end: () => void;
  /** An end for whoever reads next, as typed at a terminal; what comes after it can be read. */
  readonly endOnce: () => void;
  /** Up to `bytesMax` bytes; "waiting" when there are none yet, "end" when there never will be. */
  readonly take: (bytesMax: number) => Uint8Array | "waiting" | "end";
  readonly isFull: () => boolean;
}

const END_MARK = new Uint8Array();

/** An empty queue. */
export function makeInputQueue(): InputQueue {
  const chunks: Uint8Array[] = [];
  let waitingBytes = 0;
  let ended = false;
  const isFull = (): boolean => waitingBytes >= execBounds.stdinWaitingBytesMax;
  return {
    push: (bytes) => {
      if (!ended && bytes.length > 0) {
        chunks.push(bytes);
        waitingBytes += bytes.length;
      }
      return !isFull();
    },
    end: () => {
      ended = true;
    },
    endOnce: () => {
      if (!ended) chunks.push(END_MARK);
    },
    take: (bytesMax) => {
      const first = chunks[0];
      if (first === undefined) return ended ? "end" : "waiting";
      if (first === END_MARK) {
        chunks.shift();
        return "end";
      }
      const piece = first.subarray(0, bytesMax);
      if (piece.length === first.length) chunks.shift();
      else chunks[0] = first.subarray(bytesMax);
      waitingBytes -= piece.length;
      return piece;
    },
    isFull,
  };
}
