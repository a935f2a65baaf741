import { explore, type Exploration } from "./explore.js";
import { mutants } from "./mutants.js";
import { realRules } from "./rules.js";
import { scenarios } from "./scenario.js";

/** Explores everything, prints the numbers, and says with its exit code whether all is well. */
function main(): number {
  let wrong = 0;
  let states = 0;
  console.log(
    "Every interleaving of two callers' writes, with deaths, lost commits and lost answers:",
  );
  for (const scenario of scenarios) {
    const found = explore(scenario, realRules);
    states += found.states;
    print(found);
    if (found.violation !== null) wrong += 1;
  }
  console.log(`${states} states in all.`);
  console.log("Seeded bugs, each with the shortest way to what it breaks:");
  for (const { name, rules, scenario: where, breaks } of mutants) {
    const scenario = scenarios.find((one) => one.name === where);
    const violation = scenario === undefined ? null : explore(scenario, rules).violation;
    const caught = violation?.what === breaks;
    if (!caught) wrong += 1;
    console.log(`  ${caught ? "caught" : "MISSED"}: ${name} (${where})`);
    console.log(`    ${violation?.what ?? "nothing"}: ${violation?.trace.join("; ") ?? ""}`);
  }
  return wrong === 0 ? 0 : 1;
}

function print({ scenario, states, transitions, paths, ends, violation }: Exploration): void {
  const counts = `${states} states, ${transitions} transitions, ${ends} ends, ${paths} paths`;
  console.log(`  ${scenario}: ${counts}`);
  if (violation !== null)
    console.log(`    BROKEN, ${violation.what}: ${violation.trace.join("; ")}`);
}

process.exitCode = main();
