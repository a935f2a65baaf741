// The long run: npx tsx --conditions=@connectors/source testing/fuzz/main.ts [--cases 10000000] [--seed N]
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { shareCases } from "./target.js";
import { fuzzTargets } from "./targets.js";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "10000000" }, seed: { type: "string" } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31 - 1));
const batch = 50_000;
process.stdout.write(`seed ${seed}\n`);
let done = 0;
for (const [target, cases] of shareCases(fuzzTargets, Number(values.cases))) {
  const began = Date.now();
  // Batches, so that the library's own record of a run stays small.
  for (let ran = 0, part = 0; ran < cases; ran += batch, part += 1) {
    target.run(Math.min(batch, cases - ran), seed + part);
  }
  done += cases;
  process.stdout.write(
    `${cases} cases, ${((Date.now() - began) / 1000).toFixed(0)} s: ${target.name}\n`,
  );
}
process.stdout.write(`${done} cases, nothing broke\n`);
