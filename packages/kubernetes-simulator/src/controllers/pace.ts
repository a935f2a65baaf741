/** How fast the simulated cluster works. */
export interface Pace {
  /** From a Pod's start to its being ready. */
  readonly podReadyMs: number;
  /** From a Pod's deletion to its being gone; its grace period, if that is shorter. */
  readonly podReplaceMs: number;
  /** Images that cannot be pulled: Pods with one of them never become ready. */
  readonly brokenImages: readonly string[];
}

/** A pace at which a rollout of three Pods takes about two seconds and can be watched. */
export const DEFAULT_PACE: Pace = { podReadyMs: 400, podReplaceMs: 200, brokenImages: [] };
