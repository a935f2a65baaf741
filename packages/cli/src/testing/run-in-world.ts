import { Readable } from "node:stream";
import { runLine } from "../main.js";
import { makeSystemAmbient } from "../world/ambient.js";
import type { Interrupt } from "../world/interrupt.js";
import { readUser } from "../world/user.js";
import type { World } from "../world/world.js";
import type { Ended } from "./run-command.js";

/** Nobody sends signals to a command that runs here. */
function neverInterrupted(): Interrupt {
  return { signal: new AbortController().signal, answerWith: () => undefined };
}

/** Runs one command line in this process, without a terminal, in a world that is written down. */
export async function runInWorld(
  args: readonly string[],
  around: { readonly stdin: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  const decoder = new TextDecoder();
  const user = readUser();
  const world: World = {
    out: (text) => (stdout += text),
    outBytes: (bytes) => (stdout += decoder.decode(bytes)),
    outWhole(text) {
      stdout += text;
      return Promise.resolve(true);
    },
    err: (text) => (stderr += text),
    outIsTerminal: false,
    errIsTerminal: false,
    colour: false,
    environment: around.environment,
    homeDirectory: "/nonexistent",
    userName: user.name,
    stdin: Readable.from(around.stdin === "" ? [] : [Buffer.from(around.stdin)]),
    interrupt: neverInterrupted(),
    ambient: makeSystemAmbient(),
  };
  const code = await runLine(world, args);
  return { code, signal: null, stdout, stderr };
}
