import { simulatorBounds } from "../bounds.js";
import type { World } from "../objects/world.js";
import { tooLargeVersion } from "../refusals.js";
import { accept, refuse, type Verdict } from "../verdict.js";

/** Waits until the store has reached `version`; a 504 when it takes too long. */
export async function awaitVersion(
  world: World,
  version: number | undefined,
): Promise<Verdict<undefined>> {
  const { store, surroundings } = world;
  if (version === undefined || version <= store.version()) return accept(undefined);
  return await new Promise((resolve) => {
    const finish = (verdict: Verdict<undefined>): void => {
      unsubscribe();
      cancel();
      resolve(verdict);
    };
    const unsubscribe = store.subscribe((revision) => {
      if (revision.version >= version) finish(accept(undefined));
    });
    const cancel = surroundings.timers.after(simulatorBounds.freshnessWaitMs, () => {
      finish(refuse(tooLargeVersion(String(version), store.version())));
    });
  });
}
