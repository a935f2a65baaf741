/** Signals of the process as one abort, and what a second one does. */
export interface Interruptible {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Called at the first signal, and at the second. */
  onSignal(first: () => void, second: () => void): void;
}

/** Listens for SIGINT and SIGTERM from now until the end of the process. */
export function interruptible(): Interruptible {
  const controller = new AbortController();
  let count = 0;
  let handlers: readonly [() => void, () => void] = [() => undefined, () => undefined];
  const onSignal = (): void => {
    count += 1;
    if (count === 1) {
      controller.abort();
      handlers[0]();
    } else handlers[1]();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    onSignal(first, second) {
      handlers = [first, second];
    },
  };
}
