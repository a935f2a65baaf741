import { execBounds } from "./exec-bounds.js";

/** A terminal in its ordinary mode: the line that is being typed. */
export interface TerminalState {
  readonly line: readonly number[];
}

/** What typing does, in this order. */
export type TerminalOutput =
  | { readonly output: "echo"; readonly bytes: Uint8Array }
  | { readonly output: "deliver"; readonly bytes: Uint8Array }
  | { readonly output: "end" }
  | { readonly output: "interrupt" };

/** A state, and what typing has done. */
export interface TerminalStep {
  readonly state: TerminalState;
  readonly outputs: readonly TerminalOutput[];
}

/** A terminal that nothing has been typed into. */
export const IDLE_TERMINAL: TerminalState = { line: [] };

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const BACKSPACE = 0x08;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DELETE = 0x7f;

/** What `bytes` from the keyboard do: echoed as they come, delivered when a line is complete. */
export function stepTerminal(state: TerminalState, bytes: Uint8Array): TerminalStep {
  const outputs: TerminalOutput[] = [];
  let line = [...state.line];
  const echo = (text: string | Uint8Array): void => {
    outputs.push({ output: "echo", bytes: Buffer.from(text) });
  };
  const deliver = (tail: readonly number[]): void => {
    outputs.push({ output: "deliver", bytes: Uint8Array.from([...line, ...tail]) });
    line = [];
  };
  for (const byte of bytes) {
    if (byte === RETURN || byte === NEWLINE) {
      echo("\r\n");
      deliver([NEWLINE]);
    } else if (byte === CTRL_C) {
      echo("^C");
      line = [];
      outputs.push({ output: "interrupt" });
    } else if (byte === CTRL_D) {
      if (line.length > 0) deliver([]);
      else outputs.push({ output: "end" });
    } else if (byte === DELETE || byte === BACKSPACE) {
      if (line.length > 0) echo("\b \b");
      line = withoutLastLetter(line);
    } else if (line.length < execBounds.terminalLineBytesMax) {
      line.push(byte);
      echo(Uint8Array.of(byte));
    }
  }
  return { state: { line }, outputs: joinEchoes(outputs) };
}

/** A program's output as a terminal gets it: every newline goes back to the left as well. */
export function cookOutput(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(NEWLINE)) return bytes;
  const cooked: number[] = [];
  for (const byte of bytes) {
    if (byte === NEWLINE) cooked.push(RETURN);
    cooked.push(byte);
  }
  return Uint8Array.from(cooked);
}

function withoutLastLetter(line: readonly number[]): number[] {
  let end = line.length - 1;
  // A letter of several bytes goes as a whole.
  while (end > 0 && ((line[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return line.slice(0, Math.max(0, end));
}

function joinEchoes(outputs: readonly TerminalOutput[]): readonly TerminalOutput[] {
  const joined: TerminalOutput[] = [];
  let echoed: Uint8Array[] = [];
  const flush = (): void => {
    if (echoed.length > 0) joined.push({ output: "echo", bytes: Buffer.concat(echoed) });
    echoed = [];
  };
  for (const each of outputs) {
    if (each.output === "echo") {
      echoed.push(each.bytes);
      continue;
    }
    flush();
    joined.push(each);
  }
  flush();
  return joined;
}
