import { LineCounter, type Node, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span } from "../diagnostics/span.js";
import type { CstEntry, CstMap, CstNode, CstScalar } from "./cst-node.js";

/** The YAML of one file as nodes with places, or undefined when it is not well-formed. */
export function parseYaml(path: string, text: string, sink: DiagnosticSink): CstNode | undefined {
  const lines = new LineCounter();
  const spanOf = (start: number, end: number): Span => {
    const { line, col } = lines.linePos(start);
    return { path, start, end, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    intAsBigInt: true,
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: true,
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) {
    sink.report("ESS-CST-001", spanOf(0, 0), "the file is empty");
    return undefined;
  }
  if (second !== undefined) {
    const [start] = second.range;
    sink.report("ESS-CST-003", spanOf(start, start), "a file is one YAML document");
    return undefined;
  }
  for (const problem of document.errors) {
    const code = problem.code === "DUPLICATE_KEY" ? "ESS-CST-002" : "ESS-CST-001";
    sink.report(code, spanOf(...problem.pos), restate(problem.code, problem.message));
  }
  if (document.errors.length > 0) return undefined;
  // What the library warns of are tags, which `convert` refuses.
  return convert(document.contents, { spanOf, sink });
}

interface Conversion {
  readonly spanOf: (start: number, end: number) => Span;
  readonly sink: DiagnosticSink;
}

function convert(node: Node | null, conversion: Conversion): CstNode {
  const [start, end] = node?.range ?? [0, 0];
  const span = conversion.spanOf(start, end);
  refuseExtras(node, span, conversion.sink);
  if (isMap(node)) return convertMap(node.items, span, conversion);
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item as Node | null, conversion));
    return { kind: "list", items, span };
  }
  if (isScalar(node)) return { kind: "scalar", value: scalarValue(node.value), span };
  return { kind: "scalar", value: null, span };
}

function convertMap(
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
  span: Span,
  conversion: Conversion,
): CstMap {
  const entries: CstEntry[] = [];
  for (const pair of pairs) {
    const key = convert(pair.key as Node | null, conversion);
    if (key.kind !== "scalar") {
      conversion.sink.report("ESS-CST-003", key.span, "a key is a plain text");
      continue;
    }
    const value =
      pair.value === null
        ? ({ kind: "scalar", value: null, span: key.span } as const)
        : convert(pair.value as Node | null, conversion);
    entries.push({ key: String(key.value), keySpan: key.span, value });
  }
  return { kind: "map", entries, span };
}

function refuseExtras(node: Node | null, span: Span, sink: DiagnosticSink): void {
  if (isAlias(node)) {
    sink.report("ESS-CST-003", span, "aliases are not used in models; write the value again");
    return;
  }
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
  if (node.anchor !== undefined) sink.report("ESS-CST-003", span, "anchors are not used in models");
  if (node.tag?.startsWith("tag:yaml.org,2002:") === false) {
    sink.report("ESS-CST-003", span, "tags are not used in models");
  }
}

function scalarValue(value: unknown): CstScalar["value"] {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  return null;
}

// The library's first line says it well; the lines after it repeat the source.
function restate(code: string, message: string): string {
  if (code === "DUPLICATE_KEY") return "this key is already in the mapping";
  const [first = message] = message.split("\n");
  return first.replace(/ at line \d+, column \d+:?$/, "");
}
