// Bundles the command, so that it starts in the time of one file: heavy parts stay chunks that are
// loaded when a command needs them, and native or optional packages stay outside.
import { build } from "esbuild";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./setup.mjs";

const outdir = join(root, "packages", "cli", "bundle");
const undici = createRequire(join(root, "packages/transport/package.json")).resolve("undici");

/** The transport uses undici's client alone; the package's index loads fetch, caches and mocks. */
const undiciClientOnly = {
  name: "undici-client-only",
  setup({ onResolve, onLoad }) {
    const namespace = "undici-client-only";
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({
      contents: 'export { default as Client } from "./lib/dispatcher/client.js";',
      resolveDir: dirname(undici),
    }));
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: {
    main: join(root, "packages/cli/dist/main.js"),
    // The store looks for it beside its own module, wherever that was bundled to.
    worker: join(root, "packages/store-sqlite/dist/worker.js"),
  },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  // The simulator reads its documents beside its own modules; only two commands load it.
  external: ["better-sqlite3", "@connectors/kubernetes-simulator"],
  // CommonJS packages inside the bundle call `require`, which ESM does not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [undiciClientOnly],
  logLevel: "warning",
});
