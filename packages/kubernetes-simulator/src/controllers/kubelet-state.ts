import type { KubeletState, KubeletView } from "../exec/session.js";

/** The kubelet's state, with the switch. */
export interface KubeletSwitch extends KubeletView {
  readonly set: (state: KubeletState) => void;
}

/** A kubelet that is up. */
export function makeKubeletSwitch(): KubeletSwitch {
  let current: KubeletState = "up";
  const listeners = new Set<(state: KubeletState) => void>();
  return {
    state: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    set: (state) => {
      if (state === current) return;
      current = state;
      for (const listener of listeners) listener(state);
    },
  };
}
