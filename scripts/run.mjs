// `npm run demo | build | generate | test | bench` from a bare clone: set up, build, then the thing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { environment, root, run, say, setUp, tool } from "./setup.mjs";

const [command, ...rest] = process.argv.slice(2);
const node = process.execPath;
const connectors = join(root, "packages", "cli", "bin", "connectors.js");

/** Compiles every package and bundles the command; cached by turbo when nothing changed. */
export function build() {
  const args = ["run", "compile", "bundle", "--output-logs=errors-only"];
  const code = run(tool("turbo"), args, { stdio: "ignore" });
  if (code === 0) return;
  // A cached run says little of what went wrong; the tools themselves say it best.
  if (run(tool("tsc"), ["-b"]) === 0) run(process.execPath, ["scripts/bundle.mjs"]);
  process.exit(code);
}

const commands = {
  build: () => build(),
  generate: () => run(tool("tsx"), ["packages/ess/src/main.ts", "generate"]),
  demo() {
    say("building (a few seconds the first time)");
    build();
    return run(node, [connectors, "demo", ...rest], { stdio: "inherit" });
  },
  bench() {
    build();
    return run(node, ["--import", "tsx", "--expose-gc", join("bench", "main.ts"), ...rest], {
      stdio: "inherit",
      env: environment,
    });
  },
  async test() {
    const { test } = await import("./test.mjs");
    return test(build, rest);
  },
};

if (!Object.hasOwn(commands, command ?? "")) {
  say(`usage: node scripts/run.mjs ${Object.keys(commands).join(" | ")}`);
  process.exit(2);
}
if (!existsSync(join(root, "pnpm-lock.yaml"))) {
  say("pnpm-lock.yaml is missing: this is not a whole clone.");
  process.exit(1);
}
setUp();
process.exitCode = (await commands[command]()) ?? 0;
