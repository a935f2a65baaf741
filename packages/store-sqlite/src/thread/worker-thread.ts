import { Worker } from "node:worker_threads";
import { fail, failWith, invariant, succeed, type Outcome } from "@connectors/sdk";
import { decodeResult, type LedgerThread } from "./ledger-thread.js";
import type { LedgerSettings, ThreadMessage, ThreadReply } from "./thread-messages.js";

/** A worker that may hold a ledger, and the ledger's thread once it does. */
export interface LedgerWorker {
  /** `busy` when another process holds the file for the moment; may be called again then. */
  open(settings: LedgerSettings): Promise<Outcome<LedgerThread> | "busy">;
  /** Ends the worker. */
  end(): Promise<void>;
}

/** Starts the worker. It keeps the process alive only while it has something to answer. */
export function startLedgerWorker(url: URL): LedgerWorker {
  // The environment and the flags of this process, such as those that load its sources, have no
  // business in a worker that needs neither.
  const worker = new Worker(url, { execArgv: [], env: {}, name: "connectors ledger" });
  let waiting: ((reply: ThreadReply | "lost") => void) | undefined;
  let lost = false;

  function settle(reply: ThreadReply | "lost"): void {
    const resolve = waiting;
    waiting = undefined;
    worker.unref();
    resolve?.(reply);
  }
  function lose(): void {
    lost = true;
    settle("lost");
  }
  worker.on("message", (reply: ThreadReply) => settle(reply));
  // An exception there is our own bug; what it says of the batch is that nobody knows.
  worker.on("error", lose);
  worker.on("exit", lose);
  worker.unref();

  function ask(message: ThreadMessage): Promise<ThreadReply | "lost"> {
    invariant(waiting === undefined, "a batch waits for the last one's reply");
    if (lost) return Promise.resolve("lost");
    worker.ref();
    return new Promise((resolve) => {
      waiting = resolve;
      worker.postMessage(message);
    });
  }

  async function end(): Promise<void> {
    await worker.terminate();
  }

  const thread: LedgerThread = {
    run: async (batch) => {
      const reply = await ask({ kind: "run", batch });
      return reply !== "lost" && reply.kind === "ran" ? decodeResult(reply.text) : "lost";
    },
    close: async () => {
      await ask({ kind: "close" });
      await end();
    },
  };

  return {
    open: async (settings) => {
      const reply = await ask({ kind: "open", settings });
      if (reply === "lost") return fail("internal", "the ledger's thread ended while it opened");
      if (reply.kind === "busy") return "busy";
      return reply.kind === "refused" ? failWith(reply.failure) : succeed(thread);
    },
    end,
  };
}
