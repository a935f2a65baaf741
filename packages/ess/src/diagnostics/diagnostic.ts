import type { DiagnosticCode } from "./catalogue.js";
import type { Span } from "./span.js";

/** A second place that explains the first, such as an earlier declaration of the same name. */
export interface RelatedPlace {
  readonly message: string;
  readonly span: Span;
}

/** One problem of a model. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly span: Span;
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}

/** What a caller may add to a report. */
export type DiagnosticExtras = Pick<Diagnostic, "help" | "related">;

/** Collects the problems of one run; every stage writes to the same one. */
export interface DiagnosticSink {
  report(code: DiagnosticCode, span: Span, message: string, extras?: DiagnosticExtras): void;
  /** The problems so far, by path, position and code, each once. */
  list(): readonly Diagnostic[];
}

/** A sink with nothing in it. */
export function makeDiagnosticSink(): DiagnosticSink {
  const found = new Map<string, Diagnostic>();
  return {
    report(code, span, message, extras = {}) {
      const key = `${span.path}\n${span.start}\n${code}\n${message}`;
      if (!found.has(key)) found.set(key, { code, message, span, ...extras });
    },
    list: () => [...found.values()].toSorted(compareDiagnostics),
  };
}

function compareDiagnostics(left: Diagnostic, right: Diagnostic): number {
  return (
    compareText(left.span.path, right.span.path) ||
    left.span.start - right.span.start ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** Negative, zero or positive, by UTF-16 code unit: the one order that every stage sorts by. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
