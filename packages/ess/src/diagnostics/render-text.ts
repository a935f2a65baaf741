import type { Diagnostic } from "./diagnostic.js";

/** The lines of one problem: where and what, the source line, and what may help. */
export function renderDiagnostic(diagnostic: Diagnostic, source: string | undefined): string {
  const { span, code, message } = diagnostic;
  const lines = [`${span.path}:${span.line}:${span.column}: error ${code}: ${message}`];
  const line = source?.split("\n")[span.line - 1];
  if (line !== undefined) {
    const gutter = String(span.line);
    const width = Math.max(1, Math.min(span.end - span.start, line.length - span.column + 1));
    const blank = " ".repeat(gutter.length);
    lines.push(`  ${gutter} | ${printable(line)}`);
    lines.push(`  ${blank} | ${" ".repeat(span.column - 1)}${"^".repeat(width)}`);
  }
  if (diagnostic.help !== undefined) lines.push(`  help: ${diagnostic.help}`);
  for (const related of diagnostic.related ?? []) {
    const { path, line: at, column } = related.span;
    lines.push(`  ${path}:${at}:${column}: ${related.message}`);
  }
  return lines.join("\n");
}

// A model may come from anywhere: nothing that a terminal would act on is repeated.
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "·");
}
