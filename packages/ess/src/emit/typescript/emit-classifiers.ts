import type { FactClassIr, FactIr } from "../../ir/decision-ir.js";
import type { FileScope } from "./file-scope.js";
import { integerLiteral, quote, tsDoc } from "./text.js";

/** The function that finds the class of a raw value; nothing for facts without classes. */
export function classifierLines(
  scope: FileScope,
  typeName: string,
  fact: FactIr,
): readonly string[] {
  if (fact.classes === undefined) return [];
  const { of, rest, classes } = fact.classes;
  const name = `classify${typeName}`;
  scope.offer("value", name);
  const raw = of === "Integer" ? "number" : "string";
  return [
    ...tsDoc(`The first class that holds \`value\`; \`${rest}\` for null and for what none holds.`),
    `export function ${name}(value: ${raw} | null): ${typeName} {`,
    ...(of === "Integer" ? [`  if (value === null) return ${quote(rest)};`] : []),
    ...classes.map((entry) => `  if (${memberTests(entry)}) return ${quote(entry.name)};`),
    `  return ${quote(rest)};`,
    "}",
    "",
  ];
}

function memberTests({ members }: FactClassIr): string {
  const tests = members.map((member) => {
    if (member.kind === "range") {
      const from = integerLiteral(member.from);
      return `(value >= ${from} && value <= ${integerLiteral(member.to)})`;
    }
    const { value } = member;
    return `value === ${typeof value === "string" ? quote(value) : integerLiteral(value)}`;
  });
  if (tests.length === 1) return tests.join("").replace(/^\((.*)\)$/, "$1");
  return tests.length === 0 ? "false" : tests.join(" || ");
}
