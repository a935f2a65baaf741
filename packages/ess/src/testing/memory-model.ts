import { type CheckResult, checkModel } from "../build.js";
import { renderTextReport } from "../diagnostics/render-report.js";
import { sha256Of } from "../ir/sha256.js";
import { type SourceFile, rosterPath } from "../read/read-model.js";

/** A model held in memory: texts by path; a path that ends in `.md` is a page. */
export type MemoryModel = Readonly<Record<string, string>>;

/** Checks a model that is held in memory; without a roster, one that lists every file is added. */
export function checkMemoryModel(model: MemoryModel): CheckResult {
  return checkModel(
    sourcesOf(model),
    (pages) => new Map(pages.map((page) => [page, headingsOf(model[page])])),
  );
}

/** The text report of a model that is held in memory; empty when nothing is wrong. */
export function reportOf(model: MemoryModel): string {
  const result = checkMemoryModel(model);
  if (result.ok) return "";
  const texts = sourcesOf(model).map(({ path, bytes }) => {
    return [path, new TextDecoder().decode(bytes)] as const;
  });
  return renderTextReport(result.diagnostics, new Map(texts));
}

/** The model files of a model that is held in memory. */
export function sourcesOf(model: MemoryModel): readonly SourceFile[] {
  const paths = Object.keys(model).filter((path) => path.endsWith(".yaml"));
  const listed = paths.map((path) => path.replace(/^ess\/|\.yaml$/g, ""));
  const roster = `format: ess/1\nsystem: test\ndomains: [${listed.join(", ")}]\n`;
  const files = rosterPath in model ? model : { ...model, [rosterPath]: roster };
  return Object.entries(files)
    .filter(([path]) => path.endsWith(".yaml"))
    .map(([path, text]) => {
      const bytes = new TextEncoder().encode(text);
      return { path, bytes, sha256: sha256Of(bytes) };
    });
}

function headingsOf(page: string | undefined): readonly string[] | undefined {
  return page?.split("\n").flatMap((line) => /^#+ (?:\d+\. )?(.*)$/.exec(line)?.[1] ?? []);
}
