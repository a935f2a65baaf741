import type { CheckContext } from "./check-context.js";
import { checkDecisions } from "./check-decisions.js";
import { checkErrors } from "./check-errors.js";
import { checkLifecycles } from "./check-lifecycles.js";
import { checkNames } from "./check-names.js";
import { checkOperations } from "./check-operations.js";
import { checkOwners } from "./check-owners.js";
import { checkRecursion } from "./check-recursion.js";
import { checkRules } from "./check-rules.js";
import { checkTypes } from "./check-types.js";
import { checkUses } from "./check-uses.js";

/** Reports everything that is wrong with a bound system, each problem once. */
export function checkSystem(context: CheckContext): void {
  for (const check of checks) check(context);
}

const checks: readonly ((context: CheckContext) => void)[] = [
  checkUses,
  checkNames,
  checkTypes,
  checkRecursion,
  checkRules,
  checkErrors,
  checkLifecycles,
  checkOperations,
  checkDecisions,
  checkOwners,
];
