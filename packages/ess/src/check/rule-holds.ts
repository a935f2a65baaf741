import { withoutNegation } from "../ir/rule-paths.js";
import type { RuleIr, RuleOperand, RuleOperator } from "../ir/rule-ir.js";
import { type JsonData, isJsonRecord } from "../shape/json-node.js";

/** True when `rule` holds of the record; an order with something absent does not hold. */
export function ruleHolds(rule: RuleIr, record: Readonly<Record<string, JsonData>>): boolean {
  return holds(withoutNegation(rule), record);
}

function holds(rule: RuleIr, record: Readonly<Record<string, JsonData>>): boolean {
  switch (rule.kind) {
    case "and":
      return holds(rule.left, record) && holds(rule.right, record);
    case "or":
      return holds(rule.left, record) || holds(rule.right, record);
    case "compare":
      return compare(rule.operator, read(rule.left, record), read(rule.right, record));
    case "not":
    case "truth":
      throw new Error("a rule without negation has neither not nor truth");
  }
}

function compare(operator: RuleOperator, left: JsonData, right: JsonData): boolean {
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (left === null || right === null) return false;
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function read(side: RuleOperand, record: Readonly<Record<string, JsonData>>): JsonData {
  if (side.kind === "literal") return side.value;
  let value: JsonData = record;
  for (const name of side.path) {
    if (!isJsonRecord(value)) return null;
    value = Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  }
  if (!side.count || value === null) return value;
  if (typeof value === "string") return Array.from(value).length;
  return Object.keys(value).length;
}
