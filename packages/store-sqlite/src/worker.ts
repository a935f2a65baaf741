import { parentPort } from "node:worker_threads";
import { invariant } from "@connectors/sdk";
import type { Ledger } from "./ledger/ledger.js";
import { runBatch } from "./thread/ledger-thread.js";
import { openLedger } from "./thread/open-ledger.js";
import type { ThreadMessage, ThreadReply } from "./thread/thread-messages.js";

// The entry of the ledger's own thread: a flush of the disk holds up nothing but later flushes.
let ledger: Ledger | undefined;

function answer(message: ThreadMessage): ThreadReply {
  switch (message.kind) {
    case "open": {
      const opened = openLedger(message.settings);
      if (opened.kind !== "open") return opened;
      ledger = opened.ledger;
      return { kind: "opened" };
    }
    case "run":
      invariant(ledger !== undefined, "a ledger is opened before it is used");
      return { kind: "ran", text: runBatch(ledger, message.batch) };
    case "close":
      ledger?.close();
      ledger = undefined;
      return { kind: "closed" };
  }
}

const port = parentPort;
invariant(port !== null, "the ledger's worker is started as one");
port.on("message", (message: ThreadMessage) => {
  port.postMessage(answer(message));
});
