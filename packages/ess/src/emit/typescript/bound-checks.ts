import type { BoundIr, BoundsIr, RangeIr } from "../../ir/type-ir.js";
import { camelCase } from "../../ir/naming.js";
import { alphabetPattern } from "../alphabet.js";
import type { FileScope } from "./file-scope.js";
import { integerLiteral, quote } from "./text.js";

/** The lines that refuse `subject` when it breaks a bound; `constants` collects what they need. */
export function boundChecks(
  scope: FileScope,
  bounds: BoundsIr,
  subject: string,
  owner: { readonly name: string; readonly isBytes: boolean; readonly isBigint: boolean },
  constants: string[],
): readonly string[] {
  const size = (measure: string) => `${scope.support(measure)}(${subject})`;
  const lines = [
    ...valueChecks(scope, bounds, subject, owner.isBigint),
    ...rangeChecks(scope, bounds.length, () => size("codePoints"), "length", "characters"),
    ...rangeChecks(
      scope,
      bounds.bytes,
      () => size(owner.isBytes ? "decodedBytes" : "utf8Bytes"),
      "bytes",
      "bytes",
    ),
  ];
  const patterns = [
    { rule: "pattern", source: bounds.pattern, message: `must match ${bounds.pattern}` },
    {
      rule: "alphabet",
      source: bounds.alphabet === undefined ? undefined : alphabetPattern(bounds.alphabet),
      message: `must hold only ${bounds.alphabet}`,
    },
  ] as const;
  for (const { rule, source, message } of patterns) {
    if (source === undefined) continue;
    const constant = `${camelCase(owner.name)}${rule === "pattern" ? "Pattern" : "Alphabet"}`;
    constants.push(`const ${constant} = ${regexLiteral(source)};`);
    lines.push(
      `  if (!${constant}.test(${subject})) return ${refusal(scope, rule, quote(message))};`,
    );
  }
  return [...lines, ...listChecks(scope, bounds, subject)];
}

/** The bounds of a list or a map, as the argument that its reader takes. */
export function itemBounds(scope: FileScope, range: RangeIr | undefined): string {
  if (range === undefined) return "";
  const ends = [
    ...(range.min === undefined ? [] : [`min: ${boundText(scope, range.min)}`]),
    ...(range.max === undefined ? [] : [`max: ${boundText(scope, range.max)}`]),
  ];
  return `, { ${ends.join(", ")} }`;
}

/** A bound: the limit's constant where it has one, else the number. */
export function boundText(scope: FileScope, bound: BoundIr): string {
  if (bound.limit === undefined) return integerLiteral(bound.value);
  return scope.value(bound.limit.domain, camelCase(bound.limit.name));
}

/** The call that refuses the value in hand. */
export function refusal(scope: FileScope, rule: string, message: string): string {
  return `${scope.support("refuse")}(at, ${quote(rule)}, ${message})`;
}

function valueChecks(
  scope: FileScope,
  { min, max }: BoundsIr,
  subject: string,
  isBigint: boolean,
): readonly string[] {
  const ends = [
    { rule: "min", bound: min, operator: "<", word: "at least" },
    { rule: "max", bound: max, operator: ">", word: "at most" },
  ];
  return ends.flatMap(({ rule, bound, operator, word }) => {
    if (bound === undefined) return [];
    const suffix = isBigint && bound.limit === undefined ? "n" : "";
    const test = `${subject} ${operator} ${boundText(scope, bound)}${suffix}`;
    return [`  if (${test}) return ${refusal(scope, rule, boundMessage(scope, word, bound, ""))};`];
  });
}

function rangeChecks(
  scope: FileScope,
  range: RangeIr | undefined,
  size: () => string,
  rule: string,
  unit: string,
): string[] {
  const ends = [
    { end: "min", bound: range?.min, operator: "<", word: "at least" },
    { end: "max", bound: range?.max, operator: ">", word: "at most" },
  ];
  return ends.flatMap(({ end, bound, operator, word }) => {
    if (bound === undefined) return [];
    const message = boundMessage(scope, word, bound, ` ${unit}`);
    return [
      `  if (${size()} ${operator} ${boundText(scope, bound)}) {`,
      `    return ${refusal(scope, `${rule}_${end}`, message)};`,
      "  }",
    ];
  });
}

function listChecks(scope: FileScope, bounds: BoundsIr, subject: string): readonly string[] {
  const total = () => `${scope.support("totalBytes")}(${subject})`;
  const lines = rangeChecks(scope, bounds.totalBytes, total, "total_bytes", "bytes in all");
  if (bounds.distinct) {
    const call = `${scope.support("areDistinct")}(${subject})`;
    lines.push(
      `  if (!${call}) return ${refusal(scope, "distinct", '"must not repeat an item"')};`,
    );
  }
  if (bounds.sorted) {
    const call = `${scope.support("areSorted")}(${subject})`;
    lines.push(
      `  if (!${call}) return ${refusal(scope, "sorted", '"must be in ascending order"')};`,
    );
  }
  return lines;
}

function boundMessage(scope: FileScope, word: string, bound: BoundIr, unit: string): string {
  if (bound.limit === undefined) return quote(`must be ${word} ${bound.value}${unit}`);
  return `\`must be ${word} \${${boundText(scope, bound)}}${unit}\``;
}

function regexLiteral(source: string): string {
  return `/${new RegExp(source, "u").source}/u`;
}
