import type { LifecycleIr } from "../../ir/ir.js";
import { camelCase, pascalCase } from "../../ir/naming.js";
import type { FileScope } from "./file-scope.js";
import { fold, memberKey, quote, tsDoc } from "./text.js";

/** The table of a lifecycle and its pure step. */
export function lifecycleLines(scope: FileScope, lifecycle: LifecycleIr): readonly string[] {
  const pascal = pascalCase(lifecycle.name);
  const table = `${camelCase(lifecycle.name)}Lifecycle`;
  const state = `${pascal}State`;
  const event = `${pascal}Event`;
  scope.offer("value", table, `step${pascal}`, `is${pascal}Terminal`);
  const terminal = lifecycle.states.filter((candidate) => candidate.terminal);
  const moves = lifecycle.states.map(({ name }) => {
    const legal = lifecycle.transitions
      .filter(({ from }) => from.includes(name))
      .map((transition) => `${memberKey(transition.event)}: ${quote(transition.to)}`);
    const cells = legal.length === 0 ? "{}" : `{ ${legal.join(", ")} }`;
    return `    ${memberKey(name)}: ${cells},`;
  });
  return [
    ...tsDoc(lifecycle.doc),
    `export const ${table}: ${scope.supportType("Lifecycle")}<${state}, ${event}> = {`,
    `  initial: ${quote(lifecycle.initial)},`,
    ...fold(
      "terminal: [",
      terminal.map(({ name }) => quote(name)),
      "],",
      "  ",
    ),
    "  moves: {",
    ...moves,
    "  },",
    "};",
    "",
    "/** The state after `event`, or undefined where it is not a legal move. */",
    `export function step${pascal}(state: ${state}, event: ${event}): ${state} | undefined {`,
    `  return ${table}.moves[state][event];`,
    "}",
    "",
    "/** True when no move leads out of `state`. */",
    `export function is${pascal}Terminal(state: ${state}): boolean {`,
    `  return ${table}.terminal.includes(state);`,
    "}",
  ];
}
