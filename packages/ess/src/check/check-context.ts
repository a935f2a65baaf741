import type { DiagnosticExtras, DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { DiagnosticCode } from "../diagnostics/catalogue.js";
import type { SystemIr } from "../ir/ir.js";
import type { Places } from "../ir/places.js";

/** What every check works with. */
export interface CheckContext {
  readonly ir: SystemIr;
  readonly places: Places;
  readonly sink: DiagnosticSink;
  /** The headings of each prose page that an owner names; undefined where there is no page. */
  readonly headings: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Reports a problem at the place of `node`. */
export function reportAt(
  { places, sink }: CheckContext,
  code: DiagnosticCode,
  node: object,
  message: string,
  extras: DiagnosticExtras = {},
): void {
  sink.report(code, places.of(node), message, extras);
}
