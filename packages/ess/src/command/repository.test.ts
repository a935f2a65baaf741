import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkModel, emitAll } from "../build.js";
import { renderTextReport } from "../diagnostics/render-report.js";
import { planEmitters } from "../plan/plan.js";
import { readHeadings } from "../read/read-headings.js";
import { readSources } from "../read/read-model.js";
import { describeDrift, driftOf } from "../reconcile/drift.js";
import { manifestPath } from "../reconcile/manifest-path.js";
import { readOutputs } from "../reconcile/output-tree.js";
import { runCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

test("the committed files are what the models of this repository make", () => {
  const result = checkModel(readSources(root), (pages) => readHeadings(root, pages));
  if (!result.ok) expect.fail(renderTextReport(result.diagnostics, new Map()));
  const plan = planEmitters();
  const there = new Map(readOutputs(root, plan.folders));
  there.delete(manifestPath);
  expect(driftOf(there, emitAll(result.ir, plan)).map(describeDrift)).toEqual([]);
});

test("the committed manifest speaks of these models, this generator and these files", async () => {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const host = { cwd: root, out: print, err: print, nowMs: () => 0 };
  expect(await runCommand(["generate", "--check"], host)).toBe(0);
  expect(printed).toMatch(/^\d+ files are up to date$/);
});
