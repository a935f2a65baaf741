import type { WriteAnswer } from "@connectors/domain";
import type { World } from "../world/world.js";
import { escapeLine, escapeText } from "./escape.js";
import type { OutputFormat } from "./format.js";
import { printJson } from "./print-json.js";
import { styleOf, type Style } from "./style.js";

/** What an answer is about, for the one line that says what is known. */
export interface AnswerSubject {
  /** "deployment web/api", "id in web/api-0 (app)". */
  readonly what: string;
  /** Says what an applied result did: "restarted at 8123 → 8124". */
  readonly done: string;
  /** Whether output is written as it came, although stdout is a terminal. */
  readonly raw: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const words = {
  not_attempted: "not attempted",
  refused: "refused",
  applied: "applied",
  unknown: "unknown",
} as const;

function headline(answer: WriteAnswer, subject: AnswerSubject, style: Style): string {
  const word = words[answer.classification];
  const replayed = answer.replayed ? " (the stored answer: nothing was sent)" : "";
  const paint =
    answer.classification === "applied"
      ? style.green
      : answer.classification === "unknown"
        ? style.yellow
        : style.red;
  const what = escapeLine(subject.what);
  if (answer.classification === "applied") {
    return `${paint(word)}: ${what} ${escapeLine(subject.done)}${replayed}`;
  }
  const code = answer.cause?.code ?? answer.failure?.code ?? "internal";
  const stage = answer.cause === null ? "" : ` at ${answer.cause.stage}`;
  return `${paint(word)}: ${what}: ${code}${stage}${replayed}`;
}

function outputOf(world: World, text: string, raw: boolean): string {
  return world.outIsTerminal && !raw ? escapeText(text) : text;
}

/** What a command printed goes where it would have gone: stdout to stdout, stderr to stderr. */
function printStreams(world: World, streams: Members, raw: boolean): void {
  const { stdout, stderr } = streams;
  if (typeof stdout === "string" && stdout !== "") world.out(outputOf(world, stdout, raw));
  if (typeof stderr === "string" && stderr !== "") {
    world.err(world.errIsTerminal && !raw ? escapeText(stderr) : stderr);
  }
  const last = [stdout, stderr].findLast((text) => typeof text === "string" && text !== "");
  // What is said next begins a line of its own, where both are seen together.
  if (typeof last === "string" && !last.endsWith("\n") && world.outIsTerminal) world.err("\n");
  for (const name of ["stdout", "stderr"]) {
    if (streams[`${name}_truncated`] === true)
      world.err(`(${name} was longer; the rest was read and discarded)\n`);
  }
}

/** Writes an answer: the stable JSON object, or what a person wants to know in three lines. */
export function printAnswer(
  world: World,
  answer: WriteAnswer,
  subject: AnswerSubject,
  format: OutputFormat,
): void {
  if (format !== "text") {
    if (subject.raw) world.out(`${JSON.stringify(answer)}\n`);
    else printJson(world, answer);
    return;
  }
  const style = styleOf(world);
  const streams = answer.result ?? answer.observed;
  if (isMembers(streams)) printStreams(world, streams, subject.raw);
  // A command's own output is the answer where there is some; else the line that says what is known.
  const line = `${headline(answer, subject, style)}\n`;
  if (isMembers(streams) && "stdout" in streams) world.err(line);
  else world.out(line);
  if (answer.failure !== null) world.err(`  ${escapeLine(answer.failure.message)}\n`);
  if (answer.attempt !== null) world.err(`  ${style.dim("attempt:")} ${answer.attempt.id}\n`);
  if (answer.approval?.separation === "none") {
    world.err(
      `  ${style.dim("approved by")} ${answer.approval.approver} ${style.dim("(attended: this user holds everything)")}\n`,
    );
  } else if (answer.approval !== null) {
    world.err(`  ${style.dim("approved by")} ${answer.approval.approver}\n`);
  }
  if (answer.failure !== null && answer.failure.hint !== "") {
    world.err(`  ${style.dim("next:")} ${escapeLine(answer.failure.hint)}\n`);
  }
}
