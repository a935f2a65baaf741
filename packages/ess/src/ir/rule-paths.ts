import { type SystemIr, typeOf } from "./ir.js";
import type { RuleIr, RuleOperand } from "./rule-ir.js";
import type { FieldIr, TypeExpressionIr } from "./type-ir.js";

/** What a path of a rule leads to. */
export interface PathTarget {
  readonly type: TypeExpressionIr;
  /** For each step, whether the member there may be absent or null. */
  readonly absent: readonly ("omitted" | "nullable" | undefined)[];
}

/** Where `path` leads from a record of `fields`; undefined when it leads nowhere. */
export function followPath(
  ir: SystemIr,
  fields: readonly FieldIr[],
  path: readonly string[],
): PathTarget | undefined {
  let current = fields;
  const absent: ("omitted" | "nullable" | undefined)[] = [];
  for (const [index, name] of path.entries()) {
    const field = current.find((candidate) => candidate.name === name);
    if (field === undefined) return undefined;
    absent.push(field.presence === "required" ? undefined : field.presence);
    if (index === path.length - 1) return { type: field.type, absent };
    const { type } = field;
    const named = type.kind === "named" ? typeOf(ir, type) : undefined;
    if (named?.kind !== "struct") return undefined;
    current = named.fields;
  }
  return undefined;
}

/** The built-in type below any number of newtypes; other types are themselves. */
export function underlying(ir: SystemIr, type: TypeExpressionIr): TypeExpressionIr {
  if (type.kind !== "named") return type;
  const named = typeOf(ir, type);
  return named.kind === "newtype" ? underlying(ir, named.of) : type;
}

/** The rule with its negations moved into the comparisons, so that an unknown stays unknown. */
export function withoutNegation(rule: RuleIr, negated = false): RuleIr {
  switch (rule.kind) {
    case "not":
      return withoutNegation(rule.of, !negated);
    case "and":
    case "or": {
      const flipped = rule.kind === "and" ? "or" : "and";
      return {
        kind: negated ? flipped : rule.kind,
        left: withoutNegation(rule.left, negated),
        right: withoutNegation(rule.right, negated),
      };
    }
    case "compare":
      return negated ? { ...rule, operator: opposite[rule.operator] } : rule;
    case "truth":
      return {
        kind: "compare",
        operator: "==",
        left: rule.operand,
        right: { kind: "literal", value: !negated },
      };
  }
}

/** Every operand of a rule. */
export function operandsOf(rule: RuleIr): readonly RuleOperand[] {
  switch (rule.kind) {
    case "not":
      return operandsOf(rule.of);
    case "and":
    case "or":
      return [...operandsOf(rule.left), ...operandsOf(rule.right)];
    case "compare":
      return [rule.left, rule.right];
    case "truth":
      return [rule.operand];
  }
}

const opposite = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
} as const;
