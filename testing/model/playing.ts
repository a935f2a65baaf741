import type { Store } from "./ledger.js";
import type { Rules } from "./rules.js";
import type { Scenario } from "./scenario.js";

/** What a world moves by: the bounds, the rules, and the store that runs its transactions. */
export interface Playing {
  readonly scenario: Scenario;
  readonly rules: Rules;
  readonly store: Store;
}
