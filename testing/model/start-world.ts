import {
  fixtureNonce,
  makeFixtureApprover,
  makeFixturePolicy,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
} from "@connectors/runtime/testing";
import { startWrite } from "@connectors/runtime";
import type { NamedRequest } from "./ledger.js";
import type { Playing } from "./playing.js";
import { keeper, type Scenario } from "./scenario.js";
import type { World } from "./world.js";

/** The world before anything: every process registered, a policy, an approver, callers at the start. */
export function startWorld(playing: Playing): World {
  const { scenario, store } = playing;
  const numbers = listProcesses(scenario);
  const requests: readonly NamedRequest[] = [
    ...[...numbers, keeper].map((n) => ({ name: `open ${n}`, make: () => openOwnerRequest(n) })),
    { name: "policy", make: () => byKeeper(putPolicyRequest(makeFixturePolicy(1))) },
    { name: "approver", make: () => byKeeper(putApproverRequest(makeFixtureApprover())) },
  ];
  const ledger = requests.reduce((now, named) => store.transact(now, named).ledger, store.empty);
  const fresh = { alive: true, poisoned: false, lock: "held" } as const;
  return {
    ledger,
    processes: new Map(numbers.map((number) => [number, fresh])),
    callers: scenario.writes.map((spec) => startWrite({ keyed: spec.key !== null })),
    wires: scenario.writes.map(() => {
      return { sent: 0, inFlight: 0, applied: 0, response: "none" };
    }),
    day: 0,
    crashesLeft: scenario.crashes,
    faultsLeft: scenario.faults,
  };
}

function listProcesses(scenario: Scenario): readonly number[] {
  return [...new Set(scenario.writes.map((spec) => spec.process))];
}

function byKeeper<R extends { readonly draft: { readonly owner: string } }>(request: R): R {
  return { ...request, draft: { ...request.draft, owner: fixtureNonce(keeper) } };
}
