// Bundles the command, so that it starts in the time of one file: heavy parts stay chunks that are
// loaded when a command needs them, and native or optional packages stay outside.
import { build } from "esbuild";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const outdir = join(root, "packages", "cli", "bundle");
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: {
    main: join(root, "packages/cli/dist/main.js"),
    "sqlite-worker": join(root, "packages/store-sqlite/dist/worker.js"),
  },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  external: ["better-sqlite3"],
  // CommonJS packages inside the bundle call `require`, which ESM does not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
