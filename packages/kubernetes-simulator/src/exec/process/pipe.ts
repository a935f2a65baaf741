import type { Asking, Ending, Pipe, Reply, Running, Sink, Source } from "./program.js";

/** Both sides of a pipe whose writer runs only while its reader waits. */
export interface PipedWriter {
  readonly source: Source;
  /**
   * Runs the writer on once its reader has ended, to its own end or to its next write, which nobody
   * will read: a writer ends there, and has no ending of its own.
   */
  readonly drain: () => Asking<Ending | undefined>;
}

/** The writing end of a pipe: every write waits until the reader asks. */
export function makePipeSink(pipe: Pipe): Sink {
  return {
    holds: false,
    *write(bytes) {
      if (bytes.length > 0) yield { call: "pipe", pipe, bytes };
    },
  };
}

/**
 * Runs `writer` from its reader's reads: what it asks of others is passed on, what it writes to
 * `pipe` is what the reads return. Nothing is ever buffered beyond one write.
 */
export function makePipedWriter(pipe: Pipe, writer: Running): PipedWriter {
  let rest: Uint8Array | undefined;
  let ending: Ending | undefined;
  let reply: Reply = { reply: "done" };

  // Runs the writer until it has written (the bytes) or ended (nothing).
  function* advance(): Asking<Uint8Array | undefined> {
    while (ending === undefined) {
      const step = writer.next(reply);
      reply = { reply: "done" };
      if (step.done === true) ending = step.value;
      else if (step.value.call === "pipe" && step.value.pipe === pipe) return step.value.bytes;
      else reply = yield step.value;
    }
    return undefined;
  }

  return {
    source: {
      *read(bytesMax) {
        const bytes = rest ?? (yield* advance());
        if (bytes === undefined) return undefined;
        rest = bytes.length > bytesMax ? bytes.subarray(bytesMax) : undefined;
        return bytes.subarray(0, bytesMax);
      },
    },
    *drain() {
      if (rest === undefined) yield* advance();
      return ending;
    },
  };
}
