import type { ErrorIr, LimitIr } from "../../ir/ir.js";
import { camelCase } from "../../ir/naming.js";
import type { FileScope } from "./file-scope.js";
import { integerLiteral, quote, tsDoc } from "./text.js";

/** One constant a limit. */
export function limitLines(scope: FileScope, limits: readonly LimitIr[]): readonly string[] {
  return limits.flatMap((limit) => {
    const name = camelCase(limit.name);
    scope.offer("value", name);
    const suffix = typeof limit.value === "bigint" ? "n" : "";
    return [
      ...tsDoc(`${limit.doc} Unit: ${limit.unit}.`),
      `export const ${name} = ${integerLiteral(limit.value)}${suffix};`,
      "",
    ];
  });
}

/** The catalogue of error codes. */
export function errorLines(scope: FileScope, errors: readonly ErrorIr[]): readonly string[] {
  if (errors.length === 0) return [];
  scope.offer("type", "ErrorDescription");
  scope.offer("value", "errorCatalogue");
  return [
    "/** What is known of one error code before anything else is. */",
    "export interface ErrorDescription {",
    "  /** What the code says of the outside world by itself. */",
    `  readonly effect: ${words(errors.map(({ effect }) => effect))};`,
    "  /** Whether the same call may be made again. */",
    `  readonly retry: ${words(errors.map(({ retry }) => retry))};`,
    "  /** The exit code of the command line. */",
    "  readonly exit: number;",
    "  /** The HTTP status. */",
    "  readonly http: number;",
    "  /** The gRPC status. */",
    "  readonly grpc: string;",
    "  readonly doc: string;",
    "  /** What to do next. */",
    "  readonly hint: string;",
    "}",
    "",
    "/** Every error code with its description. */",
    "export const errorCatalogue: Readonly<Record<ErrorCode, ErrorDescription>> = {",
    ...errors.flatMap((error) => [
      `  ${error.code}: {`,
      `    effect: ${quote(error.effect)},`,
      `    retry: ${quote(error.retry)},`,
      `    exit: ${error.exit},`,
      `    http: ${error.http},`,
      `    grpc: ${quote(error.grpc)},`,
      `    doc: ${quote(error.doc)},`,
      `    hint: ${quote(error.hint)},`,
      "  },",
    ]),
    "};",
  ];
}

function words(all: readonly string[]): string {
  return [...new Set(all)].toSorted().map(quote).join(" | ");
}
