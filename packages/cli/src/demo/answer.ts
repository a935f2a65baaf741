import { parseWriteAnswer, type WriteAnswer } from "@connectors/domain";
import type { Ended } from "./stage.js";

/** The answer that a command printed as JSON; throws with what it printed instead. */
export function readAnswer(ended: Ended): WriteAnswer {
  try {
    const parsed = parseWriteAnswer(JSON.parse(ended.stdout));
    if (parsed.ok) return parsed.value;
  } catch {
    // Said below, with everything that was printed.
  }
  throw new Error(`no answer (exit ${ended.code}): ${ended.stdout}${ended.stderr}`);
}

/** A member of an object that somebody else described. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

/** One line that says what an answer says. */
export function summarize(answer: WriteAnswer): string {
  if (answer.classification === "applied") {
    const code = memberOf(answer.result, "exit_code");
    const what = code === undefined ? "" : `, the command exited with ${JSON.stringify(code)}`;
    return `applied${answer.replayed ? " (replayed: the stored answer)" : ""}${what}`;
  }
  const { cause, failure } = answer;
  return `${answer.classification}: ${cause?.code ?? failure?.code ?? ""}${cause === null ? "" : ` at ${cause.stage}`}`;
}
