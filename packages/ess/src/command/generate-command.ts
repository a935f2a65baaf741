import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Drift } from "../reconcile/drift.js";
import { readGeneratorDigest } from "../read/generator-digest.js";
import { readHeadings } from "../read/read-headings.js";
import { type Manifest, decodeManifest, digestsOf, encodeManifest } from "../reconcile/manifest.js";
import { readOutputs, removeOutputs, writeOutputs } from "../reconcile/output-tree.js";
import { isUnchanged } from "../reconcile/unchanged.js";
import { manifestPath } from "../reconcile/manifest-path.js";
import type { Job } from "./run-command.js";

/** Brings the generated files up to date, or says how they are not; the answer is the exit code. */
export async function runGenerate(job: Job): Promise<number> {
  const { root, files, run, host } = job;
  const generator = run("generator", readGeneratorDigest);
  const inputs = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const remembered = run("manifest", () => readManifest(root));
  if (remembered !== undefined) {
    const unchanged = run("compare", () => {
      const outputs = new Map(readOutputs(root, remembered.folders));
      outputs.delete(manifestPath);
      const headings = readHeadings(
        root,
        remembered.owners.map(({ file }) => file),
      );
      return isUnchanged(remembered, { generator, inputs, outputs, headings });
    });
    if (unchanged) {
      host.out(`${Object.keys(remembered.outputs).length} files are up to date`);
      return 0;
    }
  }
  const [{ runCheck }, { emitAll }, { planEmitters }, { driftOf, describeDrift }, { ownersOf }] =
    await Promise.all([
      import("./check-command.js"),
      import("../build.js"),
      import("../plan/plan.js"),
      import("../reconcile/drift.js"),
      import("../check/check-owners.js"),
    ]);
  const ir = runCheck(job);
  if (ir === undefined) return 1;
  const plan = planEmitters();
  const emitted = new Map(emitAll(ir, plan, run));
  const manifest: Manifest = {
    generator,
    inputs: Object.fromEntries(inputs),
    owners: ownersOf(ir),
    folders: plan.folders,
    outputs: digestsOf(emitted),
  };
  emitted.set(manifestPath, encodeManifest(manifest));
  return run("reconcile", () => {
    const drifts = driftOf(readOutputs(root, plan.folders), emitted);
    if (job.verifyOnly) {
      for (const drift of drifts) host.err(describeDrift(drift));
      if (drifts.length === 0) host.out(`${emitted.size} files are up to date`);
      return drifts.length === 0 ? 0 : 3;
    }
    return apply(job, drifts, emitted);
  });
}

function apply(
  { root, host }: Job,
  drifts: readonly Drift[],
  emitted: ReadonlyMap<string, string>,
): number {
  const paths = (...kinds: readonly Drift["kind"][]) =>
    drifts.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  const written = paths("missing", "different");
  writeOutputs(root, new Map(written.map((path) => [path, emitted.get(path) ?? ""])));
  const orphans = paths("orphan");
  removeOutputs(root, orphans);
  host.out(`${written.length} files written, ${orphans.length} removed, of ${emitted.size}`);
  const foreign = paths("foreign");
  for (const path of foreign) host.err(`foreign    ${path}: not generated, and left alone`);
  return foreign.length === 0 ? 0 : 3;
}

function readManifest(root: string): Manifest | undefined {
  const path = join(root, manifestPath);
  return existsSync(path) ? decodeManifest(readFileSync(path, "utf8")) : undefined;
}
