import type { LifecycleIr } from "../ir/ir.js";
import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses states that nothing reaches, ends that go on, and dead ends that do not say so. */
export function checkLifecycles(context: CheckContext): void {
  for (const lifecycle of context.ir.domains.flatMap((domain) => domain.lifecycles)) {
    const reached = reachable(lifecycle);
    for (const state of lifecycle.states) {
      const leaves = lifecycle.transitions.some(({ from }) => from.includes(state.name));
      if (lifecycle.initial !== "" && !reached.has(state.name)) {
        const message = `no transition leads to '${state.name}'`;
        reportAt(context, "ESS-LIFE-003", state, message);
      }
      if (state.terminal && leaves) {
        const message = `'${state.name}' is terminal, and a transition leads out of it`;
        reportAt(context, "ESS-LIFE-004", state, message);
      }
      if (!state.terminal && !leaves) {
        const message = `'${state.name}' is not terminal, and no transition leads out of it`;
        reportAt(context, "ESS-LIFE-005", state, message);
      }
    }
  }
}

function reachable({ initial, transitions }: LifecycleIr): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const { from, to } of transitions) {
      if (from.some((state) => reached.has(state))) reached.add(to);
    }
  }
  return reached;
}
