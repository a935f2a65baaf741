import { ownersOf } from "./check/check-owners.js";
import { checkSystem } from "./check/check-system.js";
import { type RunStage, compile } from "./compile.js";
import { type Diagnostic, makeDiagnosticSink } from "./diagnostics/diagnostic.js";
import type { EmittedFiles } from "./emit/emitter.js";
import type { SystemIr } from "./ir/ir.js";
import { type Plan, planEmitters } from "./plan/plan.js";
import type { SourceFile } from "./read/read-model.js";

/** A checked system, or what is wrong with it. */
export type CheckResult =
  | { readonly ok: true; readonly ir: SystemIr }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** What a check needs besides the models: the headings of the pages that they name. */
export type HeadingsOf = (
  pages: readonly string[],
) => ReadonlyMap<string, readonly string[] | undefined>;

/** Checks the models in `files`; every problem is found in one run. */
export function checkModel(
  files: readonly SourceFile[],
  headingsOf: HeadingsOf,
  run: RunStage = (_name, stage) => stage(),
): CheckResult {
  const sink = makeDiagnosticSink();
  const bound = compile(files, sink, run);
  if (bound !== undefined) {
    const headings = headingsOf(ownersOf(bound.ir).map(({ file }) => file));
    run("check", () => checkSystem({ ...bound, sink, headings }));
  }
  const diagnostics = sink.list();
  if (bound === undefined || diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, ir: bound.ir };
}

/** Every file that the plan's emitters make of a checked system. */
export function emitAll(
  ir: SystemIr,
  plan: Plan = planEmitters(),
  run: RunStage = (_name, stage) => stage(),
): EmittedFiles {
  const files = new Map<string, string>();
  for (const { name, emit } of plan.emitters) {
    for (const [path, text] of run(`emit ${name}`, () => emit(ir, plan.options))) {
      if (files.has(path)) throw new Error(`two emitters write ${path}`);
      files.set(path, text);
    }
  }
  return files;
}
