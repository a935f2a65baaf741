import type { Readable } from "node:stream";
import type { Ambient } from "@connectors/sdk";
import { makeSystemAmbient } from "./ambient.js";
import { listenForInterrupts, type Interrupt } from "./interrupt.js";
import { readUser } from "./user.js";

/** Everything of the process that a command may touch. */
export interface World {
  /** The answer, and nothing else. */
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  /** Waits while whoever reads stdout is slower than we are; false when nobody reads any more. */
  outWhole(text: string): Promise<boolean>;
  /** Prompts, progress and notices. */
  err(text: string): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The process's own user, never the environment's; null for one without a name. */
  readonly userName: string | null;
  readonly stdin: Readable;
  /** SIGINT and SIGTERM: answered from the first look at this on, fatal before. */
  readonly interrupt: Interrupt;
  readonly ambient: Ambient;
}

function wantsColour(environment: NodeJS.ProcessEnv): boolean {
  const refused = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== "";
  return process.stderr.isTTY === true && !refused && environment["TERM"] !== "dumb";
}

function writeWhole(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  if (stream.destroyed) return Promise.resolve(false);
  return new Promise((done) => {
    if (stream.write(text)) return done(true);
    const settle = (): void => {
      stream.off("drain", settle);
      stream.off("close", settle);
      done(!stream.destroyed);
    };
    stream.on("drain", settle);
    stream.on("close", settle);
  });
}

/** The world of this very process. */
export function makeProcessWorld(): World {
  const user = readUser();
  let interrupt: Interrupt | undefined;
  return {
    out: (text) => void process.stdout.write(text),
    outBytes: (bytes) => void process.stdout.write(bytes),
    outWhole: (text) => writeWhole(process.stdout, text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    colour: wantsColour(process.env),
    environment: process.env,
    homeDirectory: user.homeDirectory,
    userName: user.name,
    stdin: process.stdin,
    get interrupt() {
      interrupt ??= listenForInterrupts();
      return interrupt;
    },
    ambient: makeSystemAmbient(),
  };
}
