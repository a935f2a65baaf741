import type { Diagnostic } from "./diagnostic.js";
import { renderDiagnostic } from "./render-text.js";

/** The most problems that one text report shows; the rest are counted. */
export const reportMax = 100;

/** A report for people. */
export function renderTextReport(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
): string {
  const shown = diagnostics
    .slice(0, reportMax)
    .map((diagnostic) => renderDiagnostic(diagnostic, sources.get(diagnostic.span.path)));
  const rest = diagnostics.length - shown.length;
  const count = `${diagnostics.length} ${diagnostics.length === 1 ? "problem" : "problems"}`;
  const tail = rest === 0 ? count : `${count}, ${rest} of them not shown`;
  return [...shown, tail].join("\n");
}

/** A report for programs. */
export function renderJsonReport(diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify({ format: "ess-diagnostics/1", diagnostics }, undefined, 2);
}
