/** An expression over the members of one record. */
export type RuleIr =
  | { readonly kind: "and" | "or"; readonly left: RuleIr; readonly right: RuleIr }
  | { readonly kind: "not"; readonly of: RuleIr }
  | ComparisonIr
  | { readonly kind: "truth"; readonly operand: RuleOperand };

/** Two sides and what is asked of them. */
export interface ComparisonIr {
  readonly kind: "compare";
  readonly operator: RuleOperator;
  readonly left: RuleOperand;
  readonly right: RuleOperand;
}

/** The comparisons of the rule language. */
export type RuleOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A side of a comparison. */
export type RuleOperand =
  | { readonly kind: "path"; readonly path: readonly string[]; readonly count: boolean }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null };
