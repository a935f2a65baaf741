const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `listener` when the signal fires; the returned function forgets it.
 *
 * A signal carries one listener of ours however many requests share it: Node warns of a leak when
 * it has more than ten, and a caller may well stop a hundred reads with one signal.
 */
export function listenForAbort(signal: AbortSignal, listener: () => void): () => void {
  // A function of its own, so that one listener given twice is two.
  const entry = (): void => listener();
  let entries = listening.get(signal);
  if (entries === undefined) {
    const fresh = new Set<() => void>();
    listening.set(signal, fresh);
    signal.addEventListener("abort", () => fire(signal, fresh), { once: true });
    entries = fresh;
  }
  entries.add(entry);
  return () => entries.delete(entry);
}

function fire(signal: AbortSignal, entries: Set<() => void>): void {
  listening.delete(signal);
  const all = [...entries];
  entries.clear();
  for (const run of all) run();
}
