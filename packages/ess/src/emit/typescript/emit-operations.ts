import type { OperationIr, SystemIr, TypeName } from "../../ir/ir.js";
import { camelCase } from "../../ir/naming.js";
import { schemaOf } from "../json-schema/schema-of.js";
import { generatedMark } from "../emitter.js";
import { type FileScope, type Offer, makeFileScope } from "./file-scope.js";
import { literalText } from "./literal-text.js";
import { quote, tsDoc } from "./text.js";

/** The declaration of an operation, with the schemas of its input and output. */
export function operationLines(scope: FileScope, operation: OperationIr): readonly string[] {
  const name = declarationName(operation);
  const type = scope.type(operation.shape.domain, operation.shape.name);
  scope.offer("value", name);
  const trusted = scope.support("trusted");
  const value = {
    ...operation.declaration,
    input_schema: schemaOf(scope.ir, operation.input),
    output_schema: schemaOf(scope.ir, operation.output),
  };
  return [
    ...tsDoc(`The declaration of \`${operation.id}\`.`),
    "// The generator has checked this value against the model of its type.",
    `export const ${name}: ${type} = ${trusted}<${type}>(${literalText(value, "")});`,
  ];
}

/** The file that gathers the operations of all domains, and what it offers; nothing without any. */
export function operationsFile(
  ir: SystemIr,
): { readonly text: string; readonly offers: readonly Offer[] } | undefined {
  const homes = ir.domains.flatMap((domain) =>
    domain.operations.map((operation) => ({ domain, operation })),
  );
  const [first] = homes;
  if (first === undefined) return undefined;
  const scope = makeFileScope(ir, undefined);
  const shape = scope.type(first.operation.shape.domain, first.operation.shape.name);
  scope.offer("type", "OperationName", "OperationParsers");
  scope.offer("value", "operationDeclarations", "operationParsers");
  const parsed = `(value: unknown) => ${scope.supportType("Parsed")}<unknown>`;
  const parser = ({ domain, name }: TypeName) => scope.value(domain, `parse${name}`);
  const last = homes.length - 1;
  const body = [
    "/** The id of an operation of some domain. */",
    "export type OperationName =",
    ...homes.map(({ operation }, at) => `  | ${quote(operation.id)}${at === last ? ";" : ""}`),
    "",
    "/** Every operation's declaration, by domain. */",
    `export const operationDeclarations: readonly ${shape}[] = [`,
    ...homes.map(({ domain, operation }) => {
      return `  ${scope.value(domain.name, declarationName(operation))},`;
    }),
    "];",
    "",
    "/** What reads the input and the output of one operation. */",
    "export interface OperationParsers {",
    `  readonly parseInput: ${parsed};`,
    `  readonly parseOutput: ${parsed};`,
    "}",
    "",
    "/** What reads the input and the output of every operation. */",
    "export const operationParsers: Readonly<Record<OperationName, OperationParsers>> = {",
    ...homes.flatMap(({ operation }) => [
      `  ${quote(operation.id)}: {`,
      `    parseInput: ${parser(operation.input)},`,
      `    parseOutput: ${parser(operation.output)},`,
      "  },",
    ]),
    "};",
    "",
  ];
  const head = [
    `// ${generatedMark("ess/system.yaml", ir.sha256)}`,
    "",
    ...scope.importLines(),
    "",
  ];
  return { text: [...head, ...body].join("\n"), offers: scope.offers };
}

function declarationName({ id }: OperationIr): string {
  return `${camelCase(id)}Declaration`;
}
