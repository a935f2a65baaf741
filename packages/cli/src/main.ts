import { fail } from "@connectors/sdk";
import { exitCodes } from "./exit-code.js";
import { printFailure } from "./output/print-failure.js";
import { chooseRun, makeProgram, splitCommand } from "./program/program.js";
import { makeProcessWorld } from "./world/world.js";

/** Runs one command line to its end and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // Before anything opens: whatever is made from here on is this user's alone.
  process.umask(0o077);
  if (argv[0] === "complete") {
    // What a shell's completion script asks: everything after it is words, not flags.
    const { runCompletion } = await import("./commands/completion.js");
    process.exitCode = await runCompletion(makeProcessWorld(null), argv);
    return;
  }
  const { own, command } = splitCommand(argv);
  const world = makeProcessWorld(command);
  const run = await chooseRun(makeProgram(world), own.length === 0 ? ["--help"] : own);
  if (typeof run === "number") {
    process.exitCode = run;
    return;
  }
  try {
    process.exitCode = await run(world);
  } catch (error) {
    // A mistake of ours: its text may hold anything, so only its place is told, and only when asked.
    const { failure } = fail("internal", "a mistake in connectors itself ended this command", {
      effect: "unknown",
      hint: "Look at the ledger with `connectors attempts list`, and report this with -v's output.",
    });
    printFailure(world, failure, argv.includes("json") ? "json" : "text");
    if (argv.includes("-v") || argv.includes("--verbose")) {
      world.err(`${error instanceof Error ? (error.stack ?? error.message) : "unknown"}\n`);
    }
    process.exitCode = exitCodes.unknown;
  }
}
