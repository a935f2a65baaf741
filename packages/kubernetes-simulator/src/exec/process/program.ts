import type { Container } from "./container.js";

/** What a running program asks of whoever runs it. */
export type Request =
  /** Output of the command as a whole; answered once there is room for more. */
  | { readonly call: "write"; readonly stream: OutputStream; readonly bytes: Uint8Array }
  /** Bytes into a pipe; only the pipe's reader sees it. */
  | { readonly call: "pipe"; readonly pipe: Pipe; readonly bytes: Uint8Array }
  | { readonly call: "read"; readonly bytesMax: number }
  | { readonly call: "sleep"; readonly ms: number }
  /** A turn for the others: made by work that asks for nothing else. */
  | { readonly call: "pause" }
  | {
      readonly call: "spawn";
      readonly body: Running;
      readonly pid: number;
      readonly holds: boolean;
    }
  /** The end of one background task, or of all. */
  | { readonly call: "wait"; readonly pid: number | undefined }
  | { readonly call: "signal"; readonly pid: number; readonly signal: number };

/** What a request is answered with. */
export type Reply =
  | { readonly reply: "done" }
  | { readonly reply: "bytes"; readonly bytes: Uint8Array }
  | { readonly reply: "end" }
  | { readonly reply: "refused" }
  | { readonly reply: "ended"; readonly code: number; readonly signal: number | undefined }
  /** Ctrl-C on the terminal. Only the interactive shell is ever answered this. */
  | { readonly reply: "interrupted" };

/** The two ways out of a command. */
export type OutputStream = "stdout" | "stderr";

/** A pipe's identity. */
export type Pipe = symbol;

/** How a piece of a command ended. */
export type Ending =
  /** The program ended; `signal` is there when one ended it. */
  | { readonly end: "status"; readonly code: number; readonly signal?: number }
  /** The shell that ran it ends too. */
  | { readonly end: "exit"; readonly code: number }
  /** A signal that the process `pid`, somewhere around this one, dies of. */
  | { readonly end: "killed"; readonly pid: number; readonly signal: number }
  /** A script's own: the node is gone, and the command's end with it. */
  | { readonly end: "lost" }
  /** A script's own: this is what the status message says. */
  | { readonly end: "answered"; readonly status: string };

/** Work that asks on its way to a `T`. It owns nothing: it may be left at any ask. */
export type Asking<T> = Generator<Request, T, Reply>;

/** A program that has been started. */
export type Running = Asking<Ending>;

/** Where a program reads. `undefined` is the end. */
export interface Source {
  readonly read: (bytesMax: number) => Asking<Uint8Array | undefined>;
}

/** Where a program writes. */
export interface Sink {
  /** Whether this leads to the exec stream, which stays open until every such writer has ended. */
  readonly holds: boolean;
  readonly write: (bytes: Uint8Array) => Asking<void>;
}

/** Everything that a program sees of the world. */
export interface Process {
  /** The program's name, then its arguments. */
  readonly argv: readonly string[];
  /** What its complaints begin with. */
  readonly name: string;
  readonly pid: number;
  /** The processes that it is part of: its own id, and those of the shells around it. */
  readonly lineage: readonly number[];
  readonly environment: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether stdin is a terminal. */
  readonly tty: boolean;
  readonly container: Container;
  /** The program of that name, when the container has one. */
  readonly find: (name: string) => Program | undefined;
}

/** A program: what it does with a process of its own. */
export type Program = (process: Process) => Running;

/** The ending of a program that returned `code`. */
export function status(code: number): Ending {
  return { end: "status", code };
}

const encoder = new TextEncoder();

/** `text` as UTF-8. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes a complaint under the program's name and ends with `code`. */
export function* complain(process: Process, message: string, code: number): Running {
  yield* process.stderr.write(encodeText(`${process.name}: ${message}\n`));
  return status(code);
}
