import { didYouMean } from "../diagnostics/did-you-mean.js";
import { typeOf } from "../ir/ir.js";
import type { ComparisonIr, RuleIr, RuleOperand } from "../ir/rule-ir.js";
import { followPath, operandsOf, underlying } from "../ir/rule-paths.js";
import type { FieldIr, InvariantIr } from "../ir/type-ir.js";
import { memberName } from "../shape/names.js";
import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses rules about members that are not there, and comparisons that make no sense. */
export function checkRules(context: CheckContext): void {
  for (const type of context.ir.domains.flatMap((domain) => domain.types)) {
    if (type.kind === "struct") checkRecord(context, type.fields, type.invariants);
    if (type.kind !== "union") continue;
    for (const variant of type.variants) checkRecord(context, variant.fields, variant.invariants);
  }
}

function checkRecord(
  context: CheckContext,
  fields: readonly FieldIr[],
  invariants: readonly InvariantIr[],
): void {
  const seen = new Set<string>();
  for (const invariant of invariants) {
    const { id, rule } = invariant;
    if (seen.has(id)) {
      reportAt(context, "ESS-NAME-001", invariant, `the rule '${id}' is declared twice`);
    }
    seen.add(id);
    if (!memberName.test(id)) {
      reportAt(context, "ESS-SHAPE-004", invariant, `'${id}' does not fit ${memberName.source}`);
    }
    if (checkPaths(context, fields, invariant)) checkComparisons(context, fields, invariant, rule);
  }
}

function checkPaths(
  context: CheckContext,
  fields: readonly FieldIr[],
  invariant: InvariantIr,
): boolean {
  let complete = true;
  for (const operand of operandsOf(invariant.rule)) {
    if (operand.kind !== "path" || followPath(context.ir, fields, operand.path)) continue;
    complete = false;
    const near = didYouMean(
      operand.path[0] ?? "",
      fields.map(({ name }) => name),
    );
    const message = `the record has no member '${operand.path.join(".")}'`;
    reportAt(context, "ESS-RULE-002", invariant, message, near);
  }
  return complete;
}

type Kind =
  | "number"
  | "text"
  | "boolean"
  | "null"
  | "other"
  | { readonly words: readonly string[] };

function checkComparisons(
  context: CheckContext,
  fields: readonly FieldIr[],
  invariant: InvariantIr,
  rule: RuleIr,
): void {
  switch (rule.kind) {
    case "and":
    case "or":
      checkComparisons(context, fields, invariant, rule.left);
      checkComparisons(context, fields, invariant, rule.right);
      break;
    case "not":
      checkComparisons(context, fields, invariant, rule.of);
      break;
    case "truth":
      if (kindOf(context, fields, rule.operand) === "boolean") break;
      reportAt(context, "ESS-RULE-003", invariant, `${textOf(rule.operand)} is not a boolean`);
      break;
    case "compare": {
      const reason = misfit(context, fields, rule);
      if (reason !== undefined) reportAt(context, "ESS-RULE-003", invariant, reason);
    }
  }
}

function misfit(
  context: CheckContext,
  fields: readonly FieldIr[],
  rule: ComparisonIr,
): string | undefined {
  const left = kindOf(context, fields, rule.left);
  const right = kindOf(context, fields, rule.right);
  const sides = `${textOf(rule.left)} and ${textOf(rule.right)}`;
  const ordered = rule.operator !== "==" && rule.operator !== "!=";
  if (ordered) {
    const same = left === right && (left === "number" || left === "text");
    return same ? undefined : `${sides} have no order between them`;
  }
  if (left === "null" || right === "null") {
    const other = left === "null" ? rule.right : rule.left;
    return mayBeAbsent(context, fields, other) ? undefined : `${textOf(other)} is never null`;
  }
  if (left === "other" || right === "other") return `${sides} cannot be compared`;
  for (const [words, holder, literal] of [
    [left, rule.left, rule.right],
    [right, rule.right, rule.left],
  ] as const) {
    if (typeof words !== "object" || literal.kind !== "literal") continue;
    if (words.words.includes(String(literal.value))) return undefined;
    return `${textOf(literal)} is never a value of ${textOf(holder)}`;
  }
  const kinds = [left, right].map((kind) => (typeof kind === "object" ? "text" : kind));
  return kinds[0] === kinds[1] ? undefined : `${sides} are never equal`;
}

function kindOf(context: CheckContext, fields: readonly FieldIr[], side: RuleOperand): Kind {
  if (side.kind === "literal") {
    if (side.value === null) return "null";
    if (typeof side.value === "string") return "text";
    return typeof side.value === "number" ? "number" : "boolean";
  }
  const target = followPath(context.ir, fields, side.path);
  if (target === undefined) return "other";
  const base = underlying(context.ir, target.type);
  if (side.count) {
    const counted = base.kind === "list" || base.kind === "map";
    return counted || (base.kind === "primitive" && base.name === "String") ? "number" : "other";
  }
  if (base.kind === "const") return typeof base.value === "string" ? "text" : "other";
  if (base.kind === "named") {
    const type = typeOf(context.ir, base);
    return type.kind === "enum" ? { words: type.values.map(({ value }) => value) } : "other";
  }
  if (base.kind !== "primitive") return "other";
  if (["Integer", "Timestamp", "Duration"].includes(base.name)) return "number";
  if (base.name === "Boolean") return "boolean";
  return ["String", "Uuid", "Bytes"].includes(base.name) ? "text" : "other";
}

function mayBeAbsent(
  context: CheckContext,
  fields: readonly FieldIr[],
  side: RuleOperand,
): boolean {
  if (side.kind === "literal") return false;
  const target = followPath(context.ir, fields, side.path);
  return target?.absent.some((absent) => absent !== undefined) ?? false;
}

function textOf(side: RuleOperand): string {
  if (side.kind === "literal") return JSON.stringify(side.value);
  return `'${side.path.join(".")}${side.count ? ".count" : ""}'`;
}
