import type { DecisionIr, FactIr, RowIr } from "../../ir/decision-ir.js";
import { code, table } from "./markdown-text.js";

/** The section of one decision table. */
export function decisionSection(decision: DecisionIr): readonly string[] {
  const counts = new Map(decision.matrix.rows.map(({ row, count }) => [row, count]));
  const used = decision.facts.filter((fact) =>
    decision.rows.some((row) => row.when.some((condition) => condition.fact === fact.name)),
  );
  const documented = decision.rows.some(({ doc }) => doc !== "");
  const head = [
    "row",
    ...used.map(({ name }) => name),
    "answer",
    "cases",
    "evidence",
    ...(documented ? ["meaning"] : []),
  ];
  const rows = decision.rows.map((row) => [
    code(row.id),
    ...used.map((fact) => conditionText(row, fact)),
    answerText(row),
    String(counts.get(row.id) ?? 0),
    row.evidence === undefined ? "" : code(row.evidence),
    ...(documented ? [row.doc] : []),
  ]);
  return [
    `### ${decision.name}`,
    "",
    decision.doc,
    "",
    ...table(
      ["fact", "values", "meaning"],
      decision.facts.map((fact) => [code(fact.name), factText(fact), fact.doc]),
    ),
    `The first row that fits answers; the ${decision.matrix.product} cases are all looked at.`,
    "",
    ...table(head, rows),
    ...includeLines(decision),
    ...proofLines(decision),
  ];
}

function includeLines({ includes }: DecisionIr): readonly string[] {
  if (includes.length === 0) return [];
  const groups = includes.map(({ name, doc }) => `${code(name)}${doc === "" ? "" : ` (${doc})`}`);
  return [`Takes in the shared rows ${groups.join(", ")}.`, ""];
}

function proofLines({ proof }: DecisionIr): readonly string[] {
  if (proof.length === 0) return [];
  const kinds = proof.map((kind) => `**${kind}**`);
  return [`Every row that answers ${kinds.join(" or ")} names the test that proves it.`, ""];
}

function factText({ domain, classes }: FactIr): string {
  if (classes === undefined) return domain.map((value) => code(String(value))).join(", ");
  const named = classes.classes.map(({ name, members }) => {
    const held = members.map((member) =>
      member.kind === "range" ? `${member.from}..${member.to}` : String(member.value),
    );
    return `${code(name)} (${held.join(", ")})`;
  });
  return [...named, `${code(classes.rest)} (anything else)`].join(", ");
}

function conditionText(row: RowIr, fact: FactIr): string {
  const condition = row.when.find(({ fact: name }) => name === fact.name);
  return condition?.values.map((value) => code(String(value))).join(", ") ?? "";
}

function answerText(row: RowIr): string {
  const answers = row.answers.map(({ field, answer }) =>
    answer.kind === "value" ? `${field} as observed` : `${field} ${code(String(answer.value))}`,
  );
  return [`**${row.kind}**`, ...answers].join(", ");
}
