import type { TypeExpressionIr } from "./type-ir.js";

/** What a fact may be in one case. */
export type FactValue = string | boolean;

/** A class of raw values, and how to tell a member. */
export interface FactClassIr {
  readonly name: string;
  readonly members: readonly (
    | { readonly kind: "literal"; readonly value: string | number }
    | { readonly kind: "range"; readonly from: number; readonly to: number }
  )[];
}

/** A finite fact. */
export interface FactIr {
  readonly name: string;
  readonly doc: string;
  readonly domain: readonly FactValue[];
  /** The enum that the fact is of, when it is one. */
  readonly type: { readonly domain: string; readonly name: string } | undefined;
  readonly classes:
    | {
        readonly of: "Integer" | "String";
        readonly rest: string;
        readonly classes: readonly FactClassIr[];
      }
    | undefined;
}

/** A typed member that may be null. */
export interface SlotIr {
  readonly name: string;
  readonly type: TypeExpressionIr;
  readonly nullable: boolean;
}

/** What a row answers in one field. */
export type AnswerIr =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "value"; readonly name: string };

/** One row: every fact that it names is one of the values listed. */
export interface RowIr {
  readonly id: string;
  readonly when: readonly { readonly fact: string; readonly values: readonly FactValue[] }[];
  readonly kind: string;
  readonly answers: readonly { readonly field: string; readonly answer: AnswerIr }[];
  readonly evidence: string | undefined;
  readonly doc: string;
}

/** A total function over a product of finite facts; the first row that fits answers. */
export interface DecisionIr {
  readonly name: string;
  readonly doc: string;
  readonly facts: readonly FactIr[];
  readonly values: readonly SlotIr[];
  readonly kinds: readonly string[];
  readonly fields: readonly SlotIr[];
  readonly proof: readonly string[];
  /** The shared rows that the table takes in. */
  readonly includes: readonly { readonly name: string; readonly doc: string }[];
  /** In order; the last one is the default and names no fact. */
  readonly rows: readonly RowIr[];
  readonly matrix: DecisionMatrixIr;
}

/** Which row answers how much of the product. */
export interface DecisionMatrixIr {
  readonly product: number;
  readonly rows: readonly {
    readonly row: string;
    readonly count: number;
    /** The first case, in the order of the facts, that the row answers. */
    readonly example: Readonly<Record<string, FactValue>>;
  }[];
}
