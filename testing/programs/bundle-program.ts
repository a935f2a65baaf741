import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** A program made from the sources as they are now, and how to remove it. */
export interface BundledProgram {
  /** The file that Node runs. */
  readonly path: string;
  /** The ledger's worker beside it. */
  readonly workerUrl: URL;
  remove(): void;
}

/**
 * One file of plain JavaScript for a child process: a child that had to load and translate every
 * source by itself would take a second to start, and hundreds are started.
 */
export async function bundleProgram(entry: string): Promise<BundledProgram> {
  const root = join(import.meta.dirname, "..", "..");
  const folder = join(root, "testing", "bundle");
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  const outdir = mkdtempSync(join(folder, "program-"));
  await build({
    entryPoints: { program: entry, worker: join(root, "packages/store-sqlite/src/worker.ts") },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@connectors/source"],
    external: ["better-sqlite3"],
    // CommonJS packages inside the bundle call `require`, which ESM does not have.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  return {
    path: join(outdir, "program.mjs"),
    workerUrl: new URL(`file://${join(outdir, "worker.mjs")}`),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}

/** A run that was interrupted leaves its program; nothing runs one for this long. */
const leftoverMs = 6 * 3_600_000;

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverMs) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
