import { closeSync, openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { World } from "../world/world.js";

/** How a question on the terminal ended. */
export type Reply =
  | { readonly kind: "line"; readonly text: string }
  /** The terminal went away, or its end was typed. */
  | { readonly kind: "gone" }
  /** Ctrl-C, or a signal. */
  | { readonly kind: "interrupted" };

/** What a line may hold; a longer one is no answer. */
const lineBytesMax = 1024;

/** How long what was typed early is thrown away: the kernel hands it over in far less. */
const discardMs = 50;

const keys = { interrupt: 3, end: 4, backspace: 8, newline: 10, enter: 13, delete: 127 } as const;

function openTerminal(): ReadStream | null {
  try {
    return new ReadStream(openSync("/dev/tty", "r+"));
  } catch {
    return null;
  }
}

/** True when stderr is a terminal and /dev/tty opens; nothing else may be asked. */
export function hasTerminal(world: Pick<World, "errIsTerminal">): boolean {
  if (!world.errIsTerminal) return false;
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

/** Throws away what was typed before a question stood there. */
function discardTyped({ ambient }: World, tty: ReadStream): Promise<void> {
  return new Promise((done) => {
    // Raw, so that the kernel also gives up a line that was begun and not ended.
    tty.setRawMode(true);
    tty.on("data", () => undefined);
    ambient.timers.after(discardMs, () => {
      tty.removeAllListeners("data");
      tty.setRawMode(false);
      done();
    });
  });
}

/** Hears bytes until `take` answers, the terminal goes away, or a signal comes. */
function hear(
  tty: ReadStream,
  signal: AbortSignal,
  take: (byte: number) => Reply | null,
): Promise<Reply> {
  return new Promise((done) => {
    const finish = (reply: Reply): void => {
      signal.removeEventListener("abort", onAbort);
      tty.removeAllListeners("data");
      done(reply);
    };
    const onAbort = (): void => finish({ kind: "interrupted" });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    for (const over of ["end", "close", "error"]) tty.on(over, () => finish({ kind: "gone" }));
    tty.on("data", (piece: Buffer) => {
      for (const byte of piece) {
        const reply = take(byte);
        if (reply !== null) return finish(reply);
      }
    });
  });
}

/** Collects one line; what a person types is shown and edited by the terminal itself. */
function lineOf(): (byte: number) => Reply | null {
  const bytes: number[] = [];
  return (byte) => {
    if (byte === keys.newline) return toLine(bytes);
    bytes.push(byte);
    return bytes.length > lineBytesMax ? { kind: "gone" } : null;
  };
}

/** Collects one line on a raw terminal, where keys are only bytes. */
function hiddenLineOf(): (byte: number) => Reply | null {
  const bytes: number[] = [];
  return (byte) => {
    if (byte === keys.interrupt) return { kind: "interrupted" };
    if (byte === keys.end) return { kind: "gone" };
    if (byte === keys.newline || byte === keys.enter) return toLine(bytes);
    if (byte === keys.delete || byte === keys.backspace) dropCharacter(bytes);
    else bytes.push(byte);
    return bytes.length > lineBytesMax ? { kind: "gone" } : null;
  };
}

function toLine(bytes: readonly number[]): Reply {
  return { kind: "line", text: Buffer.from(bytes).toString("utf8") };
}

/** Drops the last UTF-8 character: its continuation bytes, then its first byte. */
function dropCharacter(bytes: number[]): void {
  let dropped = bytes.pop();
  while (dropped !== undefined && (dropped & 0xc0) === 0x80) dropped = bytes.pop();
}

/** Asks one question on the terminal itself, whatever stdin and stdout are. */
export async function askLine(
  world: World,
  question: string,
  options: { readonly signal: AbortSignal; readonly hidden?: boolean },
): Promise<Reply> {
  const tty = openTerminal();
  if (tty === null) return { kind: "gone" };
  // Errors are told by `hear`; one that comes before or after it must not be thrown.
  tty.on("error", () => undefined);
  try {
    await discardTyped(world, tty);
    const { signal, hidden = false } = options;
    if (hidden) tty.setRawMode(true);
    world.err(question);
    const reply = await hear(tty, signal, hidden ? hiddenLineOf() : lineOf());
    if (hidden) tty.setRawMode(false);
    // Where nobody typed the end of the line, the next one still begins at its own.
    if (hidden || reply.kind !== "line") world.err("\n");
    return reply;
  } finally {
    tty.destroy();
  }
}

/** True only for a typed `y` or `yes`. */
export async function confirmOnTerminal(
  world: World,
  question: string,
  signal: AbortSignal,
): Promise<"yes" | "no" | "interrupted"> {
  const reply = await askLine(world, question, { signal });
  if (reply.kind === "interrupted") return "interrupted";
  return reply.kind === "line" && ["y", "yes"].includes(reply.text.trim()) ? "yes" : "no";
}
