// Every check that needs no cluster, in the order in which a mistake is cheapest to see. Ends with
// one line of counts: the steps and the tests together.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, say, tool } from "./setup.mjs";

const report = join(root, "node_modules", ".vitest-report.json");

/** @returns {[string, () => number][]} */
function steps(build) {
  return [
    [
      "models and generated files agree",
      () => run(tool("tsx"), ["packages/ess/src/main.ts", "generate", "--check"]),
    ],
    ["everything builds", () => (build(), 0)],
    ["tests type-check", () => run(tool("tsc"), ["-p", "tsconfig.test.json"])],
    ["oxlint", () => run(tool("oxlint"), ["--type-aware", "--quiet"])],
    ["oxfmt", () => run(tool("oxfmt"), ["--check", "."])],
    [
      "public surfaces match their reports",
      () => run(process.execPath, ["scripts/api-reports.mjs", "--check"]),
    ],
  ];
}

function runTests(rest) {
  rmSync(report, { force: true });
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = run(tool("vitest"), [...args, ...rest]);
  try {
    const seen = JSON.parse(readFileSync(report, "utf8"));
    const broken = seen.testResults.filter(
      (f) => f.status === "failed" && f.assertionResults.length === 0,
    );
    const failed = seen.numFailedTests + broken.length;
    return {
      passed: seen.numPassedTests,
      // A run that ended badly without naming a test has failed all the same.
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: seen.numPendingTests + seen.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Runs the steps and the tests; the exit code is 0 only when nothing failed. */
export function test(build, rest) {
  let passed = 0;
  let failed = 0;
  const only = rest.length > 0;
  for (const [name, step] of only ? [] : steps(build)) {
    const began = Date.now();
    const code = step();
    say(`${code === 0 ? "ok" : "FAILED"}: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    if (code === 0) passed += 1;
    else failed += 1;
  }
  if (only) build();
  const tests = runTests(rest);
  passed += tests.passed;
  failed += tests.failed;
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : "";
  process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`);
  return failed === 0 ? 0 : 1;
}
