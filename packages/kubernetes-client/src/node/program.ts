import { spawn, type ChildProcess } from "node:child_process";
import { execPluginMsMax, execPluginOutputBytesMax, execPluginStopMs } from "@connectors/domain";
import type { Timers } from "@connectors/sdk";

/** A program and all it is given. */
export interface ProgramRequest {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Its whole environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** True: it gets this process's stdin and stderr, to talk to a person. */
  readonly interactive: boolean;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly stdout: Buffer }
  | { readonly kind: "failed"; readonly how: string }
  | { readonly kind: "not_started"; readonly code: string }
  | { readonly kind: "overflow" | "deadline" | "stopped" };

/**
 * Runs a program to its end, without a shell. It and whatever it started are ended when it prints
 * more than `execPluginOutputBytesMax`, when `execPluginMsMax` is over, and when `signal` fires.
 * Never rejects.
 */
export function runProgram(
  request: ProgramRequest,
  timers: Timers,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  if (signal.aborted) return Promise.resolve({ kind: "stopped" });
  return new Promise((resolve) => {
    const run = startProgram(request);
    if ("code" in run) {
      resolve({ kind: "not_started", code: run.code });
      return;
    }
    watchProgram(run.child, { request, timers, signal, resolve });
  });
}

function startProgram(request: ProgramRequest): { child: ChildProcess } | { code: string } {
  const theirs = request.interactive ? "inherit" : "ignore";
  try {
    const child = spawn(request.command, request.arguments, {
      cwd: request.folder,
      env: request.variables,
      stdio: [theirs, "pipe", theirs],
      shell: false,
      windowsHide: true,
      // A group of its own, so that its children end with it; a terminal has one group in front.
      detached: !request.interactive,
    });
    return { child };
  } catch (error) {
    return { code: startCode(error) };
  }
}

interface Watch {
  readonly request: ProgramRequest;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly resolve: (end: ProgramEnd) => void;
}

function watchProgram(child: ChildProcess, { request, timers, signal, resolve }: Watch): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let cut: "overflow" | "deadline" | "stopped" | undefined;
  const cancels: (() => void)[] = [];

  // Whoever still holds the pipe after that is no longer waited for.
  const afterGrace = (run: () => void): void => {
    cancels.push(
      timers.after(execPluginStopMs, () => {
        run();
        child.stdout?.destroy();
      }),
    );
  };
  const cutShort = (reason: "overflow" | "deadline" | "stopped"): void => {
    if (cut !== undefined) return;
    cut = reason;
    endGroup(child, request, "SIGTERM");
    afterGrace(() => endGroup(child, request, "SIGKILL"));
  };
  const stop = (): void => cutShort("stopped");
  cancels.push(timers.after(execPluginMsMax, () => cutShort("deadline")));
  signal.addEventListener("abort", stop, { once: true });

  const finish = (end: ProgramEnd): void => {
    for (const cancel of cancels) cancel();
    signal.removeEventListener("abort", stop);
    resolve(end);
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.byteLength;
    if (length > execPluginOutputBytesMax) cutShort("overflow");
    else chunks.push(chunk);
  });
  child.on("error", (error) => {
    if (child.pid === undefined) finish({ kind: "not_started", code: startCode(error) });
  });
  // What it printed is in the pipe by now; a child of its own may keep the other end open.
  child.on("exit", () => afterGrace(() => undefined));
  child.on("close", (code, killedBy) => {
    if (cut !== undefined) finish({ kind: cut });
    else if (code === 0) finish({ kind: "ended", stdout: Buffer.concat(chunks) });
    else finish({ kind: "failed", how: code === null ? `${killedBy}` : `code ${code}` });
  });
}

function endGroup(child: ChildProcess, request: ProgramRequest, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (request.interactive) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It ended by itself in the meantime, which is what was asked for.
    child.kill(name);
  }
}

function startCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,32}$/.test(code) ? code : "unknown";
}
