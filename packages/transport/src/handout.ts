import { invariant } from "@connectors/sdk";

/**
 * What keeping anything costs beside its bytes: of one read a peer can make tens of thousands of
 * empty messages, or of pieces of one byte.
 */
export const keptOverheadBytes = 64;

/** Things handed out one at a time to whoever asks; what nobody asks for yet waits, bounded. */
export interface Handout<T> {
  /** Whether the giver is held: it has been asked to stop, and not yet to go on. */
  readonly held: boolean;
  /** Hands `item` to who asks, or keeps it; `cost` is what keeping it takes. */
  offer(item: T, cost: number): void;
  /** What every `next` gives once nothing waits any more; the first call counts. */
  end(how: T): void;
  /** Asked for one at a time; a second ask before the first is answered is our own bug. */
  next(): Promise<T>;
  /** Drops what waits. */
  clear(): void;
}

/** Calls `hold` when what waits costs `costMax` or more, and `release` when nothing waits. */
export function makeHandout<T>(
  costMax: number,
  flow: { hold(): void; release(): void },
): Handout<T> {
  const waiting: { readonly item: T; readonly cost: number }[] = [];
  let waitingCost = 0;
  let held = false;
  let ended: { readonly how: T } | undefined;
  let asked: ((item: T) => void) | undefined;

  function answer(item: T): boolean {
    const give = asked;
    asked = undefined;
    give?.(item);
    return give !== undefined;
  }

  return {
    get held() {
      return held;
    },
    offer(item, cost) {
      if (ended !== undefined || answer(item)) return;
      waiting.push({ item, cost });
      waitingCost += cost;
      if (held || waitingCost < costMax) return;
      held = true;
      flow.hold();
    },
    end(how) {
      if (ended !== undefined) return;
      ended = { how };
      answer(how);
    },
    async next() {
      const first = waiting.shift();
      if (first === undefined) {
        if (ended !== undefined) return ended.how;
        invariant(asked === undefined, "one next() at a time");
        return await new Promise((resolve) => {
          asked = resolve;
        });
      }
      waitingCost -= first.cost;
      if (held && waiting.length === 0) {
        held = false;
        flow.release();
      }
      return first.item;
    },
    clear() {
      waiting.length = 0;
      waitingCost = 0;
    },
  };
}
