// Brings a bare clone to the point where it can build: a pinned pnpm beside the project, and the
// locked dependencies. Quick and offline when nothing changed since the last time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tools = join(root, ".tools");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpmVersion = /^pnpm@([^+]+)/.exec(manifest.packageManager)[1];
const pnpmCli = join(tools, "node_modules", "pnpm", "bin", "pnpm.cjs");
const stampFile = join(root, "node_modules", ".connectors-stamp");

/** Where this Node keeps its own headers, so that SQLite is compiled without fetching them. */
function headers() {
  const prefix = join(dirname(process.execPath), "..");
  const there = existsSync(join(prefix, "include", "node", "node.h"));
  return there && process.env.npm_config_nodedir === undefined
    ? { npm_config_nodedir: prefix }
    : {};
}

/** The environment of every tool: nothing phones home, nothing asks. */
export const environment = {
  ...process.env,
  // Every tool runs on the Node that runs this, whichever comes first on the path.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`,
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1",
  ...headers(),
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  npm_config_update_notifier: "false",
};

export function say(text) {
  process.stderr.write(`• ${text}\n`);
}

/** Runs a command to its end; its output is shown as it comes. Returns the exit code. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    env: environment,
    stdio: options.quiet ? ["ignore", "ignore", "inherit"] : ["ignore", "inherit", "inherit"],
    ...options,
  });
  if (done.error) {
    say(`${command} could not be started: ${done.error.message}`);
    return 127;
  }
  return done.status ?? 128;
}

/** A dependency's executable, run by this very Node. */
export function tool(name) {
  return join(root, "node_modules", ".bin", name);
}

function fresh() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Node ${process.versions.node} is too old; connectors needs 20.19, 22.15 or 24 and newer.`);
  process.exit(1);
}

function bringPnpm() {
  const owned = join(tools, "node_modules", "pnpm", "package.json");
  if (existsSync(owned) && JSON.parse(readFileSync(owned, "utf8")).version === pnpmVersion) return;
  say(`bringing pnpm ${pnpmVersion} into .tools (once)`);
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "package.json"), '{ "private": true }\n');
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["install", "--prefix", tools, "--no-audit", "--no-fund", "--no-save"];
  const code = run(npm, [...args, `pnpm@${pnpmVersion}`], { quiet: true });
  if (code !== 0) {
    say("npm could not bring pnpm: check the registry with `npm ping`, then run this again.");
    process.exit(code);
  }
}

/** Installs what the lockfile names, unless that was done already. */
export function setUp() {
  checkNode();
  const stamp = fresh();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  bringPnpm();
  say("installing dependencies (the first time compiles SQLite on Node 20: about a minute)");
  const args = ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"];
  const code = run(process.execPath, [pnpmCli, ...args], { quiet: true });
  if (code !== 0) {
    say("the dependencies could not be installed; the lines above say why.");
    process.exit(code);
  }
  writeFileSync(stampFile, stamp);
}
