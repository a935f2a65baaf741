import type { Emitter } from "../emitter.js";
import { generatedMark } from "../emitter.js";
import type { DomainIr, SystemIr } from "../../ir/ir.js";
import { errorLines, limitLines } from "./emit-tables.js";
import { decisionLines } from "./emit-decisions.js";
import { lifecycleLines } from "./emit-lifecycles.js";
import { operationLines, operationsFile } from "./emit-operations.js";
import { readerLines } from "./emit-readers.js";
import { typeLines } from "./emit-types.js";
import { type FileScope, type Offer, makeFileScope } from "./file-scope.js";
import { indexText } from "./index-text.js";

/** The TypeScript of a system: a file a domain, and an index of named exports. */
export const emitTypescript: Emitter = (ir, options) => {
  const files = new Map<string, string>();
  const offers = new Map<string, readonly Offer[]>();
  for (const domain of ir.domains) {
    const { text, scope } = domainFile(ir, domain);
    files.set(`${options.typescript}/${domain.base}.ts`, text);
    offers.set(domain.base, scope.offers);
  }
  const operations = operationsFile(ir);
  if (operations !== undefined) {
    files.set(`${options.typescript}/${operationsBase}.ts`, operations.text);
    offers.set(operationsBase, operations.offers);
  }
  files.set(`${options.typescript}/index.ts`, indexText(ir, offers));
  return files;
};

/** The stem of the file that gathers all operations. */
export const operationsBase = "operation-declarations";

function domainFile(ir: SystemIr, domain: DomainIr): { text: string; scope: FileScope } {
  const scope = makeFileScope(ir, domain.name);
  const sections = [
    limitLines(scope, domain.limits),
    ...domain.types.flatMap((type) => [typeLines(scope, type), readerLines(scope, type)]),
    errorLines(scope, domain.errors),
    ...domain.lifecycles.map((lifecycle) => lifecycleLines(scope, lifecycle)),
    ...domain.operations.map((operation) => operationLines(scope, operation)),
    ...domain.decisions.map((decision) => decisionLines(scope, decision)),
  ];
  const body = sections.map(trimmed).filter((section) => section !== "");
  const imports = scope.importLines();
  const head = [`// ${generatedMark(domain.path, domain.sha256)}`, "", ...imports].join("\n");
  return { text: `${[head, ...body].join("\n\n")}\n`, scope };
}

function trimmed(lines: readonly string[]): string {
  return lines.join("\n").trimEnd();
}
