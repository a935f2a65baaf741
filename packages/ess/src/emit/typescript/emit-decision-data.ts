import type { DecisionIr, FactValue, RowIr } from "../../ir/decision-ir.js";
import { camelCase, pascalCase } from "../../ir/naming.js";
import type { FileScope } from "./file-scope.js";
import { memberKey, quote } from "./text.js";

/** The rows of a decision as data. */
export function decisionTableLines(scope: FileScope, decision: DecisionIr): readonly string[] {
  const pascal = pascalCase(decision.name);
  const table = `${camelCase(decision.name)}Table`;
  scope.offer("value", table);
  const type = `readonly ${scope.supportType("DecisionTableRow")}<${pascal}Row>[]`;
  return [
    `/** The rows of \`decide${pascal}\` as data; the first that fits answers. */`,
    `export const ${table}: ${type} = [`,
    ...decision.rows.flatMap((row) => [
      "  {",
      `    id: ${quote(row.id)},`,
      `    when: ${whenText(row)},`,
      `    then: ${thenText(row)},`,
      `    evidence: ${row.evidence === undefined ? "null" : quote(row.evidence)},`,
      "  },",
    ]),
    "];",
  ];
}

/** A case for each row of a decision, and how many cases each row answers. */
export function decisionMatrixLines(scope: FileScope, decision: DecisionIr): readonly string[] {
  const pascal = pascalCase(decision.name);
  const matrix = `${camelCase(decision.name)}Matrix`;
  scope.offer("value", matrix);
  const type = `${scope.supportType("DecisionMatrix")}<${pascal}Row, ${pascal}Facts>`;
  return [
    "/** One case of the facts for each row, and how many of all cases that row answers. */",
    `export const ${matrix}: ${type} = {`,
    `  product: ${decision.matrix.product},`,
    "  rows: [",
    ...decision.matrix.rows.flatMap(({ row, count, example }) => [
      "    {",
      `      row: ${quote(row)},`,
      `      count: ${count},`,
      `      facts: ${exampleText(example)},`,
      "    },",
    ]),
    "  ],",
    "};",
  ];
}

/** What a row answers literally, as TypeScript. */
export function answerLiteral(value: string | number | boolean | null): string {
  return typeof value === "string" ? quote(value) : String(value);
}

function whenText({ when }: RowIr): string {
  const entries = when.map(({ fact, values }): [string, string] => [
    fact,
    `[${values.map(factText).join(", ")}]`,
  ]);
  return objectText(entries);
}

function thenText({ kind, answers }: RowIr): string {
  const entries = answers.map(({ field, answer }): [string, string] => [
    field,
    answer.kind === "value" ? quote(`value.${answer.name}`) : answerLiteral(answer.value),
  ]);
  return objectText([["kind", quote(kind)], ...entries]);
}

function exampleText(example: Readonly<Record<string, FactValue>>): string {
  return objectText(Object.entries(example).map(([fact, value]) => [fact, factText(value)]));
}

function factText(value: FactValue): string {
  return typeof value === "boolean" ? String(value) : quote(value);
}

function objectText(entries: readonly (readonly [string, string])[]): string {
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([name, text]) => `${memberKey(name)}: ${text}`).join(", ")} }`;
}
