import type { ComparisonIr, RuleIr, RuleOperand } from "../../ir/rule-ir.js";
import { followPath, underlying, withoutNegation } from "../../ir/rule-paths.js";
import type { FieldIr, TypeExpressionIr } from "../../ir/type-ir.js";
import type { FileScope } from "./file-scope.js";
import { isIdentifier, quote } from "./text.js";
import { typeText } from "./type-text.js";

/** A rule as a TypeScript expression over the record called `record`. */
export function ruleText(
  scope: FileScope,
  fields: readonly FieldIr[],
  rule: RuleIr,
  record: string,
): string {
  return expression({ scope, fields, record }, withoutNegation(rule));
}

interface Context {
  readonly scope: FileScope;
  readonly fields: readonly FieldIr[];
  readonly record: string;
}

function expression(context: Context, rule: RuleIr): string {
  switch (rule.kind) {
    case "and":
    case "or": {
      const sign = rule.kind === "and" ? "&&" : "||";
      const sides = [rule.left, rule.right].map((side) => inner(context, side, rule.kind));
      return sides.join(` ${sign} `);
    }
    case "compare":
      return comparison(context, rule);
    case "not":
    case "truth":
      throw new Error("a rule without negation has neither not nor truth");
  }
}

function inner(context: Context, rule: RuleIr, around: "and" | "or"): string {
  const text = expression(context, rule);
  const mixed = (rule.kind === "and" || rule.kind === "or") && rule.kind !== around;
  return mixed ? `(${text})` : text;
}

function comparison(context: Context, rule: ComparisonIr): string {
  const left = operand(context, rule.left);
  const right = operand(context, rule.right);
  const { operator } = rule;
  if (operator === "==" || operator === "!=") {
    const againstNull = left.text === "null" || right.text === "null";
    const sides = [left, right].map((side) => (againstNull ? side.text : side.widened));
    return sides.join(` ${operator}= `);
  }
  if (!left.nullable && !right.nullable) return `${left.text} ${operator} ${right.text}`;
  // An order with something that is not there is not true.
  const call = context.scope.support("compares");
  return `${call}(${left.text}, ${quote(operator)}, ${right.text})`;
}

interface OperandText {
  readonly text: string;
  /** The text at the type below its brand, so that brands and literals can be compared. */
  readonly widened: string;
  readonly nullable: boolean;
}

function operand({ scope, fields, record }: Context, side: RuleOperand): OperandText {
  if (side.kind === "literal") {
    const { value } = side;
    const text = typeof value === "string" ? quote(value) : String(value);
    return { text, widened: text, nullable: false };
  }
  const target = followPath(scope.ir, fields, side.path);
  if (target === undefined) throw new Error(`a checked rule has no path ${side.path.join(".")}`);
  let text = record;
  for (const [index, name] of side.path.entries()) {
    const optional = index > 0 && target.absent[index - 1] !== undefined ? "?." : "";
    text += isIdentifier(name) ? `${optional || "."}${name}` : `${optional}[${quote(name)}]`;
  }
  const own = target.absent.at(-1);
  const nested = target.absent.slice(0, -1).some((absent) => absent !== undefined);
  const nullable = own !== undefined || nested;
  if (side.count) {
    const count = countText(scope, target.type, text, nullable);
    return { text: count, widened: count, nullable };
  }
  if (nested || own === "omitted") text = `(${text} ?? null)`;
  const base = underlying(scope.ir, target.type);
  if (base === target.type) return { text, widened: text, nullable };
  const type = `${typeText(scope, base)}${nullable ? " | null" : ""}`;
  return { text, widened: `(${text} as ${type})`, nullable };
}

function countText(
  scope: FileScope,
  type: TypeExpressionIr,
  text: string,
  nullable: boolean,
): string {
  if (nullable) return `${scope.support("countOf")}(${text})`;
  const base = underlying(scope.ir, type);
  if (base.kind === "list") return `${text}.length`;
  if (base.kind === "map") return `Object.keys(${text}).length`;
  return `${scope.support("codePoints")}(${text})`;
}
