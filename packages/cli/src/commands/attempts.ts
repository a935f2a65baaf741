import type { Attempt } from "@connectors/domain";
import type { AttemptExplanation, AttemptFilter, AttemptRecord } from "@connectors/runtime";
import type { Outcome } from "@connectors/sdk";
import { withHost, type OpenedHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { escapeLine } from "../output/escape.js";
import { printFailure } from "../output/print-failure.js";
import { formatRecord } from "../output/record.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import type { AttemptFlags } from "../program/ledger-commands.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";

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

function time(ms: number | null): string {
  return ms === null ? "-" : new Date(ms).toISOString();
}

function row(attempt: Attempt): readonly string[] {
  const code = attempt.outcome?.cause?.code ?? "";
  return [
    attempt.id,
    attempt.state,
    `${attempt.instance}/${attempt.operation}`,
    time(attempt.created_at_ms),
    code,
  ];
}

const headings = ["ATTEMPT", "STATE", "OPERATION", "CREATED", "CAUSE"];

/** Runs `look` over an open host and prints its failure, or what it found. */
async function show<T>(
  world: World,
  flags: CommonFlags,
  look: (opened: OpenedHost) => Promise<Outcome<T>>,
  print: (found: T) => string,
): Promise<number> {
  return withHost(world, flags, { only: null }, async (opened) => {
    const found = await look(opened);
    if (!found.ok) {
      printFailure(world, found.failure, flags.output);
      return exitCodes.nothingDone;
    }
    world.out(flags.output === "text" ? print(found.value) : `${JSON.stringify(found.value)}\n`);
    return exitCodes.ok;
  });
}

/** Lists attempts, newest first. */
export async function runAttemptsList(world: World, flags: AttemptFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const listed = await host.attempts.list(filterOf(world, flags));
    if (!listed.ok) {
      printFailure(world, listed.failure, flags.output);
      return exitCodes.nothingDone;
    }
    if (flags.output === "text") world.out(formatTable(headings, listed.value.map(row)));
    else if (flags.output === "json") world.out(`${JSON.stringify(listed.value)}\n`);
    else for (const attempt of listed.value) world.out(`${JSON.stringify(attempt)}\n`);
    return exitCodes.ok;
  });
}

function describe({ attempt, observations }: AttemptRecord): string {
  const notes = observations.map(
    (note) => `  ${time(note.at_ms)} ${note.by}: ${escapeLine(note.text)}\n`,
  );
  const { created_at_ms, dispatched_at_ms, settled_at_ms, ...rest } = attempt;
  const times = {
    created_at: time(created_at_ms),
    dispatched_at: time(dispatched_at_ms),
    settled_at: time(settled_at_ms),
  };
  return (
    formatRecord({ ...times, ...rest }) + (notes.length === 0 ? "" : `evidence\n${notes.join("")}`)
  );
}

/** Shows one attempt, whole, with the evidence that people attached. */
export function runAttemptsShow(world: World, id: string, flags: CommonFlags): Promise<number> {
  return show(world, flags, ({ host }) => host.attempts.show(id), describe);
}

const meanings: Readonly<Record<AttemptExplanation["classification"], string>> = {
  not_attempted:
    "The gate never opened: nothing was sent, and nothing ever will be for this attempt.",
  refused: "It is proved that nothing happened.",
  applied: "It happened as declared.",
  unknown: "Nobody knows whether it happened. It is never sent again; look before you act.",
};

function explain(found: AttemptExplanation): string {
  const { attempt, classification, reads, auditId } = found;
  const lines = [
    `${classification}: ${attempt.instance}/${attempt.operation} (${attempt.state})`,
    meanings[classification],
  ];
  if (classification === "unknown") {
    lines.push("", "What to look at:");
    lines.push(...reads.map((read) => `  connectors read ${read} …`));
    if (auditId !== null) {
      lines.push(`  the API server's audit log for Audit-ID ${auditId}`);
      lines.push(`then: connectors attempts annotate ${attempt.id} "what you found"`);
    }
  } else if (auditId !== null) {
    lines.push(`The API server's audit log has it as Audit-ID ${auditId}.`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Says what is known of an attempt, and where to look when that is nothing. */
export function runAttemptsExplain(world: World, id: string, flags: CommonFlags): Promise<number> {
  return show(world, flags, ({ host }) => host.attempts.explain(id), explain);
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
    const cancel = world.ambient.timers.after(watchEveryMs, done);
    signal.addEventListener("abort", () => (cancel(), done()), { once: true });
  });
}

/** Prints each attempt whenever its state is another one, until interrupted. */
export async function runAttemptsWatch(world: World, flags: AttemptFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const { signal } = interruptible();
    const seen = new Map<string, string>();
    while (!signal.aborted) {
      const listed = await host.attempts.list(filterOf(world, flags));
      if (!listed.ok) {
        printFailure(world, listed.failure, flags.output);
        return exitCodes.nothingDone;
      }
      for (const attempt of listed.value.toReversed()) {
        if (seen.get(attempt.id) === attempt.state) continue;
        seen.set(attempt.id, attempt.state);
        const line = flags.output === "text" ? row(attempt).join("  ") : JSON.stringify(attempt);
        world.out(`${line}\n`);
      }
      await pause(world, signal);
    }
    return exitCodes.ok;
  });
}
