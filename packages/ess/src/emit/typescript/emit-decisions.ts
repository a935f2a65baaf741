import type { DecisionIr, FactIr, FactValue, RowIr, SlotIr } from "../../ir/decision-ir.js";
import { pascalCase } from "../../ir/naming.js";
import { answerLiteral, decisionMatrixLines, decisionTableLines } from "./emit-decision-data.js";
import { classifierLines } from "./emit-classifiers.js";
import type { FileScope } from "./file-scope.js";
import { localName } from "./local-name.js";
import { fold, memberKey, quote, tsDoc } from "./text.js";
import { typeText } from "./type-text.js";

/** A decision: its types, its total function, its rows as data, and a case for each row. */
export function decisionLines(scope: FileScope, decision: DecisionIr): readonly string[] {
  return [
    ...factTypes(scope, decision),
    ...outcomeTypes(scope, decision),
    ...decideFunction(scope, decision),
    "",
    ...decisionTableLines(scope, decision),
    "",
    ...decisionMatrixLines(scope, decision),
  ];
}

/** The name of the type of a fact. */
export function factTypeName(decision: DecisionIr, fact: FactIr): string {
  return `${pascalCase(decision.name)}${pascalCase(fact.name)}`;
}

function factTypes(scope: FileScope, decision: DecisionIr): readonly string[] {
  const pascal = pascalCase(decision.name);
  const types = decision.facts.flatMap((fact) => {
    if (fact.type !== undefined || typeof fact.domain[0] === "boolean") return [];
    const name = factTypeName(decision, fact);
    scope.offer("type", name);
    const words = fact.domain.map((value) => quote(String(value)));
    return [...tsDoc(fact.doc), ...union(name, words), "", ...classifierLines(scope, name, fact)];
  });
  scope.offer("type", `${pascal}Facts`);
  return [
    ...types,
    `/** The facts that \`decide${pascal}\` looks at. */`,
    `export interface ${pascal}Facts {`,
    ...decision.facts.flatMap((fact) => [
      ...tsDoc(fact.doc, "  "),
      `  readonly ${memberKey(fact.name)}: ${factType(scope, decision, fact)};`,
    ]),
    "}",
    "",
  ];
}

function factType(scope: FileScope, decision: DecisionIr, fact: FactIr): string {
  if (fact.type !== undefined) return scope.type(fact.type.domain, fact.type.name);
  return typeof fact.domain[0] === "boolean" ? "boolean" : factTypeName(decision, fact);
}

function outcomeTypes(scope: FileScope, decision: DecisionIr): readonly string[] {
  const pascal = pascalCase(decision.name);
  const values =
    decision.values.length === 0
      ? []
      : [
          `/** What a row of \`decide${pascal}\` may carry through from the observation. */`,
          `export interface ${pascal}Values {`,
          ...decision.values.map((slot) => slotLine(scope, slot)),
          "}",
          "",
        ];
  if (values.length > 0) scope.offer("type", `${pascal}Values`);
  scope.offer("type", `${pascal}Row`, `${pascal}Outcome`);
  return [
    ...values,
    `/** The rows of \`decide${pascal}\`. */`,
    ...union(
      `${pascal}Row`,
      decision.rows.map(({ id }) => quote(id)),
    ),
    "",
    `/** What \`decide${pascal}\` answers, and which row did. */`,
    `export interface ${pascal}Outcome {`,
    `  readonly row: ${pascal}Row;`,
    `  readonly kind: ${decision.kinds.map(quote).join(" | ")};`,
    ...decision.fields.map((slot) => slotLine(scope, slot)),
    "}",
    "",
  ];
}

function slotLine(scope: FileScope, { name, type, nullable }: SlotIr): string {
  return `  readonly ${memberKey(name)}: ${typeText(scope, type)}${nullable ? " | null" : ""};`;
}

function decideFunction(scope: FileScope, decision: DecisionIr): readonly string[] {
  const pascal = pascalCase(decision.name);
  scope.offer("value", `decide${pascal}`);
  const used = decision.facts.filter((fact) =>
    decision.rows.some((row) => row.when.some((condition) => condition.fact === fact.name)),
  );
  const parameters = [
    `facts: ${pascal}Facts`,
    ...(decision.values.length === 0 ? [] : [`values: ${pascal}Values`]),
  ];
  // Declared as plain strings, so that one row's test does not narrow the next row's.
  const locals = used.map((fact) => {
    const type = typeof fact.domain[0] === "boolean" ? "boolean" : "string";
    return `  const ${localName(fact.name)}: ${type} = facts[${quote(fact.name)}];`;
  });
  return [
    ...tsDoc(decision.doc),
    ...fold(`export function decide${pascal}(`, parameters, `): ${pascal}Outcome {`),
    ...locals.map(dotted),
    ...decision.rows.flatMap((row) => rowLines(decision, row)),
    "}",
  ];
}

function rowLines(decision: DecisionIr, row: RowIr): readonly string[] {
  const cells = [
    `row: ${quote(row.id)}`,
    `kind: ${quote(row.kind)}`,
    ...decision.fields.map((field) => `${memberKey(field.name)}: ${answerText(row, field)}`),
  ];
  const tests = row.when.flatMap(({ fact, values }) => {
    const declared = decision.facts.find(({ name }) => name === fact);
    return declared === undefined ? [] : [testText(declared, values)];
  });
  if (tests.length === 0) return fold("return { ", cells, " };", "  ");
  const flat = `  if (${tests.join(" && ")}) {`;
  const head =
    flat.length <= 100
      ? [flat]
      : [
          "  if (",
          ...tests.map((test, index) => `    ${test}${index < tests.length - 1 ? " &&" : ""}`),
          "  ) {",
        ];
  return [...head, ...fold("return { ", cells, " };", "    "), "  }"];
}

function testText(fact: FactIr, values: readonly FactValue[]): string {
  const local = localName(fact.name);
  const [first] = values;
  if (typeof first === "boolean") {
    if (values.length > 1) return "true";
    return first ? local : `!${local}`;
  }
  const tests = values.map((value) => `${local} === ${quote(String(value))}`);
  return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
}

function answerText(row: RowIr, field: SlotIr): string {
  const answer = row.answers.find((candidate) => candidate.field === field.name)?.answer;
  if (answer === undefined) return "null";
  if (answer.kind === "value") return `values.${answer.name}`;
  return answerLiteral(answer.value);
}

function union(name: string, words: readonly string[]): readonly string[] {
  const flat = `export type ${name} = ${words.join(" | ")};`;
  if (flat.length <= 100) return [flat];
  const lines = words.map((word, index) => `  | ${word}${index < words.length - 1 ? "" : ";"}`);
  return [`export type ${name} =`, ...lines];
}

function dotted(line: string): string {
  return line.replace(/facts\["([A-Za-z_$][A-Za-z0-9_$]*)"\]/, "facts.$1");
}
