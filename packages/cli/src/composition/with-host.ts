import type { Host } from "@connectors/runtime";
import { fail, type Outcome } from "@connectors/sdk";
import { exitCodes } from "../exit-code.js";
import { finish } from "../output/finish.js";
import type { CommonFlags } from "../program/flags.js";
import type { InterruptAnswer } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { openStateHost, type AdapterChoice, type OpenedHost } from "./open-host.js";

/** Answers signals by what is in flight: the first says so, the second leaves with what is known. */
function answerByFlights(world: World, host: Host, decided: () => number | null): InterruptAnswer {
  let sent = false;
  return {
    first() {
      const [flight] = host.inFlight();
      if (flight === undefined) return;
      sent = true;
      const seconds = Math.ceil(flight.remainingMs / 1000);
      world.err(`\nsent, waiting ${seconds} s at most (again to leave with 3)\n`);
    },
    second() {
      // What is left behind as Dispatching is closed as unknown by the next command that opens it.
      const unknown = sent || host.inFlight().length > 0;
      return decided() ?? (unknown ? exitCodes.unknown : exitCodes.interrupted);
    },
  };
}

/**
 * Runs `use` with an open host and closes it whatever happens; a failure is printed.
 *
 * Signals are answered from the beginning: before the gate they stop the command (130), after it
 * they only say that the answer is being waited for.
 */
export async function withHost(
  world: World,
  flags: CommonFlags,
  choice: AdapterChoice,
  use: (opened: OpenedHost) => Promise<Outcome<number>>,
): Promise<number> {
  const { interrupt } = world;
  const opened = await openStateHost(world, flags, choice);
  if (!opened.ok) return finish(world, flags.output, opened);
  let code: number | null = null;
  interrupt.answerWith(answerByFlights(world, opened.value.host, () => code));
  try {
    const end = interrupt.signal.aborted
      ? fail("interrupted", "it was interrupted before anything was done")
      : await use(opened.value);
    code = finish(world, flags.output, end);
    return code;
  } finally {
    await opened.value.close();
  }
}
