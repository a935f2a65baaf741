import type { RuleIr, RuleOperand, RuleOperator } from "../ir/rule-ir.js";

/** The rule in `text`, or where and why it is not one. */
export type ParsedRule =
  | { readonly ok: true; readonly rule: RuleIr }
  | { readonly ok: false; readonly at: number; readonly message: string };

/**
 * Parses the rule language: `||` and `&&` and `!` over comparisons of members and literals.
 * A path that ends in `.count` is the number of items, entries or code points.
 */
export function parseRule(text: string): ParsedRule {
  const tokens = tokenize(text);
  if (!Array.isArray(tokens)) return tokens;
  const state: State = { tokens, at: 0, depth: 0 };
  try {
    const rule = disjunction(state);
    const rest = state.tokens[state.at];
    if (rest !== undefined) throw new RuleFault(rest.at, `'${rest.text}' is not expected here`);
    return { ok: true, rule };
  } catch (fault) {
    if (!(fault instanceof RuleFault)) throw fault;
    return { ok: false, at: Math.min(fault.at, text.length), message: fault.message };
  }
}

interface Token {
  readonly kind: "path" | "number" | "text" | "sign";
  readonly text: string;
  readonly at: number;
}

interface State {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

// Unwinds the descent; caught above and nowhere else.
class RuleFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const depthMax = 32;
const lexeme = new RegExp(
  [
    /(?<path>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)/,
    /(?<number>-?[0-9]+)/,
    /"(?<double>[^"\\]*)"/,
    /'(?<single>[^'\\]*)'/,
    /(?<sign>\|\||&&|==|!=|<=|>=|[<>!()])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "y",
);

function tokenize(text: string): Token[] | (ParsedRule & { readonly ok: false }) {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    const start = at + text.slice(at).search(/\S/);
    lexeme.lastIndex = start;
    const groups = lexeme.exec(text)?.groups;
    if (groups === undefined) {
      return { ok: false, at: start, message: "this is no part of a rule" };
    }
    if (groups["path"] !== undefined)
      tokens.push({ kind: "path", text: groups["path"], at: start });
    else if (groups["number"] !== undefined) {
      tokens.push({ kind: "number", text: groups["number"], at: start });
    } else if (groups["sign"] !== undefined) {
      tokens.push({ kind: "sign", text: groups["sign"], at: start });
    } else {
      tokens.push({ kind: "text", text: groups["double"] ?? groups["single"] ?? "", at: start });
    }
    at = lexeme.lastIndex;
  }
  return tokens;
}

function disjunction(state: State): RuleIr {
  let left = conjunction(state);
  while (takeSign(state, "||")) left = { kind: "or", left, right: conjunction(state) };
  return left;
}

function conjunction(state: State): RuleIr {
  let left = comparison(state);
  while (takeSign(state, "&&")) left = { kind: "and", left, right: comparison(state) };
  return left;
}

function comparison(state: State): RuleIr {
  if (takeSign(state, "!")) return { kind: "not", of: comparison(state) };
  if (takeSign(state, "(")) {
    state.depth += 1;
    if (state.depth > depthMax) throw new RuleFault(position(state), "the rule is nested too deep");
    const inner = disjunction(state);
    if (!takeSign(state, ")")) throw new RuleFault(position(state), "')' is missing");
    state.depth -= 1;
    return inner;
  }
  const left = operand(state);
  const sign = state.tokens[state.at];
  const operator = operators.find((candidate) => sign?.kind === "sign" && candidate === sign.text);
  if (operator === undefined) return { kind: "truth", operand: left };
  state.at += 1;
  return { kind: "compare", operator, left, right: operand(state) };
}

const operators: readonly RuleOperator[] = ["==", "!=", "<=", ">=", "<", ">"];

function operand(state: State): RuleOperand {
  const token = state.tokens[state.at];
  if (token === undefined || token.kind === "sign") {
    throw new RuleFault(position(state), "a member or a literal is missing");
  }
  state.at += 1;
  if (token.kind === "number") return { kind: "literal", value: Number(token.text) };
  if (token.kind === "text") return { kind: "literal", value: token.text };
  if (token.text === "null") return { kind: "literal", value: null };
  if (token.text === "true") return { kind: "literal", value: true };
  if (token.text === "false") return { kind: "literal", value: false };
  const path = token.text.split(".");
  const count = path.length > 1 && path.at(-1) === "count";
  return { kind: "path", path: count ? path.slice(0, -1) : path, count };
}

function takeSign(state: State, sign: string): boolean {
  const token = state.tokens[state.at];
  if (token?.kind !== "sign" || token.text !== sign) return false;
  state.at += 1;
  return true;
}

function position(state: State): number {
  return state.tokens[state.at]?.at ?? Number.MAX_SAFE_INTEGER;
}
