const interruptedCode = 130;

/** Signals of the process as one abort, and what the first and the second one do besides. */
export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Says what happens besides: at the first signal, and which exit code the second leaves with. */
  answerWith(answer: InterruptAnswer): void;
}

/** What a command does about signals. */
export interface InterruptAnswer {
  first(): void;
  second(): number;
}

/** Listens for SIGINT and SIGTERM from now until the end of the process. */
export function listenForInterrupts(): Interrupt {
  const controller = new AbortController();
  let answer: InterruptAnswer = { first: () => undefined, second: () => interruptedCode };
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(answer.second());
    controller.abort();
    answer.first();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    answerWith(next) {
      answer = next;
    },
  };
}
