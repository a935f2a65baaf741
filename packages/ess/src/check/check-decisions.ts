import type { DecisionIr, FactClassIr, RowIr, SlotIr } from "../ir/decision-ir.js";
import { coverageOf, productMax } from "../ir/decision-matrix.js";
import { unbounded } from "../ir/type-ir.js";
import { memberName } from "../shape/names.js";
import { type CheckContext, reportAt } from "./check-context.js";
import { faultsOf } from "./value-faults.js";

/** Refuses tables with rows that never answer, that answer too little, or that prove nothing. */
export function checkDecisions(context: CheckContext): void {
  for (const decision of context.ir.domains.flatMap((domain) => domain.decisions)) {
    checkFacts(context, decision);
    checkRowNames(context, decision);
    for (const row of decision.rows) {
      checkAnswers(context, decision, row);
      if (!decision.proof.includes(row.kind) || row.evidence !== undefined) continue;
      const message = `row '${row.id}' answers '${row.kind}' and names no test as its evidence`;
      reportAt(context, "ESS-DEC-011", row, message);
    }
    checkCoverage(context, decision);
  }
}

function checkFacts(context: CheckContext, decision: DecisionIr): void {
  for (const fact of decision.facts) {
    if (new Set(fact.domain).size !== fact.domain.length || fact.domain.length === 0) {
      const message = `'${fact.name}' has no values, or one of them twice`;
      reportAt(context, "ESS-DEC-012", fact, message);
    }
    const earlier: FactClassIr[] = [];
    for (const entry of fact.classes?.classes ?? []) {
      if (entry.members.length > 0 && isCovered(entry, earlier)) {
        const message = `every value of '${entry.name}' is already in an earlier class`;
        reportAt(context, "ESS-DEC-013", entry, message);
      }
      earlier.push(entry);
    }
  }
}

function isCovered(entry: FactClassIr, earlier: readonly FactClassIr[]): boolean {
  const taken = earlier.flatMap(({ members }) => members);
  return entry.members.every((member) => {
    if (member.kind === "literal") return taken.some((other) => holds(other, member.value));
    // What is left of the range after each earlier member has taken its part.
    let left = [{ from: member.from, to: member.to }];
    for (const other of taken) {
      const { from, to } = endsOf(other);
      left = left
        .flatMap((gap) => [
          { from: gap.from, to: Math.min(gap.to, from - 1) },
          { from: Math.max(gap.from, to + 1), to: gap.to },
        ])
        .filter((gap) => gap.from <= gap.to);
    }
    return left.length === 0;
  });
}

function holds(member: FactClassIr["members"][number], value: string | number): boolean {
  if (member.kind === "literal") return member.value === value;
  return typeof value === "number" && value >= member.from && value <= member.to;
}

function endsOf(member: FactClassIr["members"][number]): { from: number; to: number } {
  return member.kind === "range"
    ? member
    : { from: Number(member.value), to: Number(member.value) };
}

function checkRowNames(context: CheckContext, decision: DecisionIr): void {
  const seen = new Map<string, RowIr>();
  for (const row of decision.rows) {
    const first = seen.get(row.id);
    if (first !== undefined) {
      const related = [{ message: "first declared here", span: context.places.of(first) }];
      reportAt(context, "ESS-NAME-001", row, `the row '${row.id}' is there twice`, { related });
    }
    if (!memberName.test(row.id)) {
      reportAt(context, "ESS-SHAPE-004", row, `'${row.id}' does not fit ${memberName.source}`);
    }
    seen.set(row.id, row);
  }
  const last = decision.rows.at(-1);
  if (last !== undefined && last.when.length > 0) {
    reportAt(context, "ESS-DEC-014", last, `the default '${last.id}' names facts`);
  }
}

function checkAnswers(context: CheckContext, decision: DecisionIr, row: RowIr): void {
  for (const field of decision.fields) {
    const given = row.answers.find((answer) => answer.field === field.name);
    if (given === undefined) {
      if (field.nullable) continue;
      reportAt(context, "ESS-DEC-006", row, `row '${row.id}' does not answer '${field.name}'`);
      continue;
    }
    const reason = answerMisfit(context, decision, field, given.answer);
    if (reason === undefined) continue;
    reportAt(context, "ESS-DEC-006", given, `'${field.name}' of row '${row.id}' ${reason}`);
  }
}

function answerMisfit(
  context: CheckContext,
  decision: DecisionIr,
  field: SlotIr,
  answer: RowIr["answers"][number]["answer"],
): string | undefined {
  if (answer.kind === "value") {
    const value = decision.values.find(({ name }) => name === answer.name);
    if (value === undefined) return undefined;
    if (value.nullable && !field.nullable) return `may not be null, as 'value.${answer.name}' may`;
    const same = JSON.stringify(value.type) === JSON.stringify(field.type);
    return same ? undefined : `has another type than 'value.${answer.name}'`;
  }
  if (answer.value === null) return field.nullable ? undefined : "may not be null";
  const [fault] = faultsOf(context.ir, field.type, unbounded, answer.value);
  return fault === undefined ? undefined : `breaks '${fault.rule}'`;
}

function checkCoverage(context: CheckContext, decision: DecisionIr): void {
  if (decision.matrix.product > productMax) {
    const { product } = decision.matrix;
    const message = `'${decision.name}' has ${product} cases, more than ${productMax}`;
    reportAt(context, "ESS-DEC-010", decision, message);
    return;
  }
  const last = decision.rows.at(-1);
  const { shadowed } = coverageOf(decision.facts, decision.rows);
  for (const [row, winners] of shadowed) {
    if (row === last) continue;
    const twin = decision.rows.find((other) => other !== row && sameCondition(other, row));
    const related = winners.map((winner) => ({
      message: `'${winner.id}' answers in its place`,
      span: context.places.of(winner),
    }));
    const code = twin === undefined ? "ESS-DEC-008" : "ESS-DEC-009";
    const message =
      twin === undefined
        ? `row '${row.id}' never answers: earlier rows take all of its cases`
        : `row '${row.id}' never answers: '${twin.id}' asks for the same`;
    reportAt(context, code, row, message, { related });
  }
}

function sameCondition(left: RowIr, right: RowIr): boolean {
  return conditionKey(left) === conditionKey(right);
}

function conditionKey(row: RowIr): string {
  const parts = row.when.map(
    ({ fact, values }) => `${fact}=${values.map(String).toSorted().join(",")}`,
  );
  return parts.toSorted().join(";");
}
