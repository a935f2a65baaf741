import { closeSync, openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { World } from "../world/world.js";

/** How a question on the terminal ended. */
export type Reply = { readonly kind: "line"; readonly text: string } | { readonly kind: "gone" };

function openTerminal(): ReadStream | null {
  try {
    return new ReadStream(openSync("/dev/tty", "r+"));
  } catch {
    return null;
  }
}

/** True when stderr is a terminal and /dev/tty opens; nothing else may be asked. */
export function hasTerminal(world: World): boolean {
  if (!world.errIsTerminal) return false;
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

/** Throws away what was typed before a question stood there. */
function discardTyped(tty: ReadStream): Promise<void> {
  return new Promise((done) => {
    tty.setRawMode(true);
    tty.on("data", () => undefined);
    // One turn of the event loop delivers what the kernel already holds.
    setTimeout(() => {
      tty.removeAllListeners("data");
      tty.setRawMode(false);
      done();
    }, 50);
  });
}

function readLine(tty: ReadStream, signal: AbortSignal): Promise<Reply> {
  return new Promise((done) => {
    let text = "";
    const finish = (reply: Reply): void => {
      signal.removeEventListener("abort", onAbort);
      tty.removeAllListeners("data");
      done(reply);
    };
    const onAbort = (): void => finish({ kind: "gone" });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) return onAbort();
    tty.on("end", () => finish({ kind: "gone" }));
    tty.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
      const end = text.indexOf("\n");
      if (end >= 0) finish({ kind: "line", text: text.slice(0, end) });
      else if (text.length > 4096) finish({ kind: "gone" });
    });
  });
}

/** Asks one question on the terminal itself, whatever stdin and stdout are; `gone` when it cannot. */
export async function askLine(
  world: World,
  question: string,
  options: { readonly signal: AbortSignal; readonly hidden?: boolean },
): Promise<Reply> {
  const tty = openTerminal();
  if (tty === null) return { kind: "gone" };
  try {
    await discardTyped(tty);
    world.err(question);
    if (options.hidden !== true) return await readLine(tty, options.signal);
    tty.setRawMode(true);
    const reply = await readHidden(tty, options.signal);
    tty.setRawMode(false);
    world.err("\n");
    return reply;
  } finally {
    tty.destroy();
  }
}

function readHidden(tty: ReadStream, signal: AbortSignal): Promise<Reply> {
  return new Promise((done) => {
    let bytes: number[] = [];
    const finish = (reply: Reply): void => {
      tty.removeAllListeners("data");
      bytes = [];
      done(reply);
    };
    signal.addEventListener("abort", () => finish({ kind: "gone" }), { once: true });
    tty.on("data", (piece: Buffer) => {
      for (const byte of piece) {
        if (byte === 3 || byte === 4) return finish({ kind: "gone" });
        if (byte === 10 || byte === 13) {
          return finish({ kind: "line", text: Buffer.from(bytes).toString("utf8") });
        }
        if (byte === 127 || byte === 8) bytes.pop();
        else if (bytes.length < 1024) bytes.push(byte);
      }
    });
  });
}

/** True only for a typed `y` or `yes`. */
export async function confirmOnTerminal(
  world: World,
  question: string,
  signal: AbortSignal,
): Promise<"yes" | "no" | "gone"> {
  const reply = await askLine(world, question, { signal });
  if (reply.kind === "gone") return "gone";
  return ["y", "yes"].includes(reply.text.trim().toLowerCase()) ? "yes" : "no";
}
