import { writeSync } from "node:fs";
import { openSqliteJournal } from "@connectors/store-sqlite";

// Holds an owner's lock with nothing that refers to it: the journal is closed and its worker ended,
// and the garbage collector (`--expose-gc`) has run.
const [directory = "", nonce = "", worker = ""] = process.argv.slice(2);

async function holdAndForget(): Promise<void> {
  const opened = await openSqliteJournal({ directory, workerUrl: new URL(worker) });
  if (!opened.ok) throw new Error(opened.failure.message);
  const held = await opened.value.locks.hold(nonce);
  if (!held.ok) throw new Error(held.failure.message);
  await opened.value.journal.close();
}

await holdAndForget();
for (let round = 0; round < 5; round += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
writeSync(1, globalThis.gc === undefined ? "no collector\n" : "held\n");
process.stdin.resume();
