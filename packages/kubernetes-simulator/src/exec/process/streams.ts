import { execBounds } from "../exec-bounds.js";
import type { Asking, OutputStream, Reply, Sink, Source } from "./program.js";

/** The command's own stdin. */
export const commandInput: Source = {
  *read(bytesMax) {
    const reply: Reply = yield { call: "read", bytesMax };
    return reply.reply === "bytes" ? reply.bytes : undefined;
  },
};

/** A source that is at its end. */
export const emptySource: Source = {
  // eslint-disable-next-line require-yield -- A source that has nothing to ask.
  *read(): Asking<Uint8Array | undefined> {
    return undefined;
  },
};

/** Takes everything and keeps nothing; a turn for the others is taken at every write. */
export const nullSink: Sink = {
  holds: false,
  *write() {
    yield { call: "pause" };
  },
};

/** One of the command's own two outputs. */
export function commandOutput(stream: OutputStream): Sink {
  return {
    holds: true,
    *write(bytes) {
      if (bytes.length > 0) yield { call: "write", stream, bytes };
    },
  };
}

/** A source of `bytes`, from their start. */
export function bytesSource(bytes: Uint8Array): Source {
  let at = 0;
  return {
    // eslint-disable-next-line require-yield -- See `emptySource`.
    *read(bytesMax): Asking<Uint8Array | undefined> {
      if (at >= bytes.length) return undefined;
      const piece = bytes.subarray(at, at + bytesMax);
      at += piece.length;
      return piece;
    },
  };
}

const zeros = new Uint8Array(execBounds.outputBytesMax);

/** Zero bytes without end. */
export const zeroSource: Source = {
  // eslint-disable-next-line require-yield -- See `emptySource`.
  *read(bytesMax): Asking<Uint8Array | undefined> {
    return bytesMax >= zeros.length ? zeros : zeros.subarray(0, bytesMax);
  },
};
