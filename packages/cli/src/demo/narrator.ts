import { escapeLine } from "../output/escape.js";
import type { Style } from "../output/style.js";

/** Tells what happens, a line at a time. */
export interface Narrator {
  scene(number: number, title: string): void;
  say(text: string): void;
  /** The command as a user would type it. */
  typed(command: string): void;
  /** Lines that somebody sees, indented. */
  shown(lines: readonly string[]): void;
  answered(firstLine: string, code: number | null): void;
}

/** A narrator that writes with `write`. */
export function makeNarrator(write: (text: string) => void, style: Style): Narrator {
  return {
    scene: (number, title) => write(`\n${style.bold(`${number}  ${title}`)}\n`),
    say: (text) => write(`   ${text}\n`),
    typed: (command) => write(`   ${style.dim("$")} ${command}\n`),
    shown(lines) {
      for (const line of lines) write(`     ${style.dim("|")} ${escapeLine(line)}\n`);
    },
    answered(firstLine, code) {
      const known = code === 0 ? style.green : code === 3 ? style.yellow : style.red;
      write(`   ${known(escapeLine(firstLine))} ${style.dim(`(exit ${code})`)}\n`);
    },
  };
}

/** The first line of an answer that is not empty. */
export function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}
