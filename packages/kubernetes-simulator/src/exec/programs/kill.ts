import {
  complain,
  encodeText,
  status,
  type Ending,
  type Process,
  type Running,
} from "../process/program.js";
import { isDeadly, listSignals, parseSignal, signalName } from "./signals.js";

const TERM = 15;

/** `kill [-SIGNAL | -s SIGNAL] PID...` and `kill -l [SIGNAL]`. */
export function* kill(process: Process): Running {
  const words = process.argv.slice(1);
  if (words[0] === "-l") return yield* list(process, words.slice(1));
  const option = words[0]?.startsWith("-") === true ? words.shift() : undefined;
  const named = option === "-s" ? words.shift() : option?.slice(1);
  const signal = named === undefined ? TERM : parseSignal(named);
  if (signal === undefined) return yield* complain(process, `bad signal name '${named}'`, 1);
  if (words.length === 0) return yield* complain(process, "you need to specify whom to kill", 1);
  let code = 0;
  for (const word of words) {
    const ending = yield* send(process, word, signal);
    if (ending.end !== "status") return ending;
    code = Math.max(code, ending.code);
  }
  return status(code);
}

function* send(process: Process, word: string, signal: number): Running {
  if (!/^\d{1,9}$/u.test(word)) return yield* complain(process, `invalid number '${word}'`, 1);
  const pid = Number(word);
  // A process around this one: its end takes this one with it, so it is this one's ending.
  if (process.lineage.includes(pid)) {
    const ending: Ending = { end: "killed", pid, signal };
    return isDeadly(signal) ? ending : status(0);
  }
  const reply = yield { call: "signal", pid, signal: isDeadly(signal) ? signal : 0 };
  if (reply.reply === "done") return status(0);
  return yield* complain(process, `can't kill pid ${pid}: No such process`, 1);
}

function* list(process: Process, words: readonly string[]): Running {
  if (words.length === 0) {
    yield* process.stdout.write(encodeText(listSignals()));
    return status(0);
  }
  for (const word of words) {
    const signal = parseSignal(word);
    if (signal === undefined) return yield* complain(process, `unknown signal '${word}'`, 1);
    yield* process.stdout.write(encodeText(`${signalName(signal)}\n`));
  }
  return status(0);
}
