import { spawn } from "node:child_process";
import type { ChildLine, ChildPlan } from "./plan.js";

/** How one child's life went. */
export interface Life {
  /** What it said, in order; a line that was cut off by its end is not there. */
  readonly lines: readonly ChildLine[];
  readonly end: "killed" | "done";
}

/** When the parent kills a child that does not kill itself. */
export interface Kill {
  /** Counted from the line with this number; 0 is the start of the process. */
  readonly line: number;
  readonly delayMs: number;
}

/** A life that ends some other way is broken, and so is one that outlasts this. */
const lifeMsMax = 60_000;

/** Runs a child to its end. Rejects when it ends neither killed nor done. */
export function runLife(program: string, plan: ChildPlan, kill: Kill | null): Promise<Life> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {},
  });
  let [text, complaint] = ["", ""];
  let killing = kill?.line === 0 ? killLater(child, kill.delayMs) : undefined;
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    if (killing === undefined && kill !== null && countLines(text) >= kill.line) {
      killing = killLater(child, kill.delayMs);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const watchdog = setTimeout(() => child.kill("SIGTERM"), lifeMsMax);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(killing);
      clearTimeout(watchdog);
      const lines = readLines(text);
      if (signal === "SIGKILL") resolve({ lines, end: "killed" });
      else if (code === 0 && lines.at(-1)?.kind === "done") resolve({ lines, end: "done" });
      else reject(new Error(`a life ended with ${code ?? signal}: ${complaint.slice(0, 4000)}`));
    });
  });
}

function killLater(child: { kill(signal: "SIGKILL"): boolean }, delayMs: number): NodeJS.Timeout {
  return setTimeout(() => child.kill("SIGKILL"), delayMs);
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function readLines(text: string): readonly ChildLine[] {
  const lines = text.split("\n");
  // The last piece ends without a newline: nothing, or a line that its writer did not finish.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as ChildLine);
}
