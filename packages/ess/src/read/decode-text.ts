import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "./read-model.js";

/** The text of a model file; undefined when it holds what models do not use. */
export function decodeText({ path, bytes }: SourceFile, sink: DiagnosticSink): string | undefined {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const start = { path, start: 0, end: 0, line: 1, column: 1 };
    sink.report("ESS-READ-001", start, "the file is not UTF-8");
    return undefined;
  }
  const bad = /[\t\r\uFEFF]/.exec(text);
  if (bad === null) return text;
  const before = text.slice(0, bad.index).split("\n");
  const span = {
    path,
    start: bad.index,
    end: bad.index + 1,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
  const names: Readonly<Record<string, string>> = { "\t": "a tab", "\r": "a carriage return" };
  const name = names[bad[0]] ?? "a byte order mark";
  sink.report("ESS-READ-003", span, `the file holds ${name}`);
  return undefined;
}
