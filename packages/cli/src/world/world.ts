import { userInfo } from "node:os";
import type { Ambient } from "@connectors/sdk";
import { makeSystemAmbient } from "./ambient.js";

/** Everything of the process that a command may touch. */
export interface World {
  /** The answer, and nothing else. */
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  /** Waits while whoever reads stdout is slower than we are. */
  outWhole(text: string): Promise<void>;
  /** Prompts, progress and notices. */
  err(text: string): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** `os:NAME` of the process's own user, never of the environment. */
  readonly caller: string;
  readonly userName: string;
  readonly stdin: NodeJS.ReadStream;
  /** What stood after `--` on the command line; null without it. */
  readonly command: readonly string[] | null;
  readonly ambient: Ambient;
}

function wantsColour(environment: NodeJS.ProcessEnv): boolean {
  const refused = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== "";
  return process.stderr.isTTY === true && !refused && environment["TERM"] !== "dumb";
}

/** The world of this very process. */
export function makeProcessWorld(command: readonly string[] | null): World {
  const user = userInfo();
  return {
    out: (text) => void process.stdout.write(text),
    outBytes: (bytes) => void process.stdout.write(bytes),
    outWhole: (text) =>
      new Promise((done) => {
        if (process.stdout.write(text)) done();
        else process.stdout.once("drain", () => done());
      }),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    colour: wantsColour(process.env),
    environment: process.env,
    homeDirectory: user.homedir,
    caller: `os:${user.username}`,
    userName: user.username,
    stdin: process.stdin,
    command,
    ambient: makeSystemAmbient(),
  };
}
