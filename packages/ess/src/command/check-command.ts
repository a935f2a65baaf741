import { checkModel } from "../build.js";
import { renderJsonReport, renderTextReport } from "../diagnostics/render-report.js";
import type { SystemIr } from "../ir/ir.js";
import { readHeadings } from "../read/read-headings.js";
import type { Job } from "./run-command.js";

/** The checked system; undefined once its problems have been reported. */
export function runCheck({ root, files, run, host, format }: Job): SystemIr | undefined {
  const result = checkModel(files, (pages) => readHeadings(root, pages), run);
  if (result.ok) {
    if (format === "json") host.out(renderJsonReport([]));
    return result.ir;
  }
  if (format === "json") {
    host.out(renderJsonReport(result.diagnostics));
    return undefined;
  }
  const texts = files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)] as const);
  host.err(renderTextReport(result.diagnostics, new Map(texts)));
  return undefined;
}
