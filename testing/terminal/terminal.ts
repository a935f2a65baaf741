import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** How a program on a terminal of its own ended, and everything that the terminal showed. */
export interface TerminalRun {
  readonly code: number | null;
  readonly screen: string;
}

/** One thing to type, when the screen has come to show something. */
export interface Typed {
  readonly after: RegExp;
  readonly keys: string;
}

/** True where util-linux's `script` can give a program a terminal. */
export const terminalAvailable: boolean = existsSync("/usr/bin/script");

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Runs a program on a terminal of its own and types each answer once its question stands there.
 *
 * stdout can go to a file (`stdoutFile`), as a person would redirect it. Ends after `timeoutMs`.
 */
export function runOnTerminal(options: {
  readonly argv: readonly string[];
  readonly typed: readonly Typed[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdoutFile?: string;
  readonly timeoutMs: number;
}): Promise<TerminalRun> {
  const redirect = options.stdoutFile === undefined ? "" : ` > ${shellWord(options.stdoutFile)}`;
  const line = options.argv.map(shellWord).join(" ") + redirect;
  const child = spawn("/usr/bin/script", ["-qefc", line, "/dev/null"], {
    env: { ...process.env, TERM: "xterm", ...options.environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  return new Promise((done, broken) => {
    let screen = "";
    let from = 0;
    const waiting = [...options.typed];
    const late = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs);
    child.on("error", broken);
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      screen += piece;
      const next = waiting[0];
      const found = next?.after.exec(screen.slice(from));
      if (next === undefined || !found) return;
      waiting.shift();
      from += found.index + found[0].length;
      child.stdin.write(next.keys);
    });
    child.on("close", (code) => {
      clearTimeout(late);
      done({ code, screen });
    });
  });
}
