import type { AttemptFilter } from "@connectors/runtime";
import { succeed, type Outcome } from "@connectors/sdk";
import type { AdapterChoice, OpenedHost } from "../composition/open-host.js";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { printJson } from "../output/print-json.js";
import { printRows } from "../output/print-rows.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import type { AttemptFlags } from "../program/ledger-commands.js";
import type { World } from "../world/world.js";
import { attemptHeadings, attemptRow, formatAttempt, formatExplanation } from "./attempt-text.js";

const watchEveryMs = 500;

function filterOf(world: World, flags: AttemptFlags): AttemptFilter {
  const { attemptState: state, operation, since, limit } = flags;
  return {
    ...(state === undefined ? {} : { state }),
    ...(operation === undefined ? {} : { operation }),
    ...(since === undefined ? {} : { sinceMs: world.ambient.clock.nowMs() - since }),
    limit,
  };
}

/** Runs `look` over an open host and prints what it found. */
function show<T>(
  world: World,
  flags: CommonFlags,
  look: (opened: OpenedHost) => Promise<Outcome<T>>,
  format: (found: T, opened: OpenedHost) => string,
  choice: AdapterChoice = "none",
): Promise<number> {
  return withHost(world, flags, choice, async (opened) => {
    const found = await look(opened);
    if (!found.ok) return found;
    if (flags.output === "text") world.out(format(found.value, opened));
    else printJson(world, found.value);
    return succeed(exitCodes.ok);
  });
}

/** Lists attempts, newest first. */
export function runAttemptsList(world: World, flags: AttemptFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const listed = await host.attempts.list(filterOf(world, flags));
    if (!listed.ok) return listed;
    printRows(world, flags.output, listed.value, () =>
      formatTable(attemptHeadings, listed.value.map(attemptRow)),
    );
    return succeed(exitCodes.ok);
  });
}

/** Shows one attempt, whole, with the evidence that people attached. */
export function runAttemptsShow(world: World, id: string, flags: CommonFlags): Promise<number> {
  return show(world, flags, ({ host }) => host.attempts.show(id), formatAttempt);
}

/** Says what is known of an attempt, and where to look when that is nothing. */
export function runAttemptsExplain(world: World, id: string, flags: CommonFlags): Promise<number> {
  return show(
    world,
    flags,
    ({ host }) => host.attempts.explain(id),
    (found, { host }) => {
      const declared = host
        .operations()
        .map(({ adapter, declaration }) => [`${adapter}/${declaration.id}`, declaration] as const);
      return formatExplanation(found, new Map(declared));
    },
    { only: null },
  );
}

/** Attaches a person's evidence; changes no state. */
export function runAttemptsAnnotate(
  world: World,
  id: string,
  text: string,
  flags: CommonFlags,
): Promise<number> {
  return show(
    world,
    flags,
    ({ host }) => host.attempts.annotate(id, text),
    (position) => `kept; audit record ${position.sequence}\n`,
  );
}

function pause(world: World, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      done();
    };
    const cancel = world.ambient.timers.after(watchEveryMs, finish);
    signal.addEventListener("abort", finish, { once: true });
  });
}

/** Prints each attempt whenever its state is another one, until interrupted. */
export function runAttemptsWatch(world: World, flags: AttemptFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const { signal } = world.interrupt;
    // No larger than the page that is looked at: what has left it is not shown again.
    let seen: ReadonlyMap<string, string> = new Map();
    while (!signal.aborted) {
      const listed = await host.attempts.list(filterOf(world, flags));
      if (!listed.ok) return listed;
      for (const attempt of listed.value.toReversed()) {
        if (seen.get(attempt.id) === attempt.state) continue;
        if (flags.output === "text") world.out(`${attemptRow(attempt).join("  ").trimEnd()}\n`);
        else printJson(world, attempt);
      }
      seen = new Map(listed.value.map(({ id, state }) => [id, state]));
      await pause(world, signal);
    }
    return succeed(exitCodes.ok);
  });
}
