import { fail } from "@connectors/sdk";
import { finish } from "./output/finish.js";
import { chooseRun, makeProgram, splitCommand } from "./program/program.js";
import { findAskedFormat } from "./program/usage-error.js";
import { makeProcessWorld, type World } from "./world/world.js";

/** Only this command sends anything that changes a cluster. */
const sendingCommand = "write";

/** A mistake of ours: its text may hold anything, so only its place is told, and only when asked. */
function endInternally(world: World, argv: readonly string[], error: unknown): number {
  const sent = argv[0] === sendingCommand;
  const code = finish(
    world,
    findAskedFormat(argv),
    fail("internal", "a mistake in connectors itself ended this command", {
      effect: sent ? "unknown" : "none",
      hint:
        (sent ? "Look at the ledger with `connectors attempts list`, and report" : "Report") +
        " this with what -v prints.",
    }),
  );
  if (argv.includes("-v") || argv.includes("--verbose")) {
    world.err(`${error instanceof Error ? (error.stack ?? error.message) : "unknown"}\n`);
  }
  return code;
}

/** Whoever reads may go away; what is known stays true, and so does the exit code. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** The exit code of one command line in a world; whatever it answers has been written there. */
export async function runLine(world: World, argv: readonly string[]): Promise<number> {
  if (argv[0] === "complete") {
    // What a shell's completion script asks: everything after it is words, not flags.
    return (await import("./commands/completion.js")).runCompletion(world, argv);
  }
  if (argv[0] === "--version" || argv[0] === "-V") return runLine(world, ["version"]);
  const { own, after } = splitCommand(argv);
  const program = makeProgram(world, { completion: true, after });
  const run = await chooseRun(program, own.length === 0 ? ["--help"] : own, after);
  return run.ok ? run.value(world) : finish(world, findAskedFormat(own), run);
}

/** Runs one command line to its end and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // Before anything opens: whatever is made from here on is this user's alone.
  process.umask(0o077);
  outliveReaders();
  const world = makeProcessWorld();
  process.on("uncaughtException", (error) => process.exit(endInternally(world, argv, error)));
  try {
    process.exitCode = await runLine(world, argv);
  } catch (error) {
    process.exitCode = endInternally(world, argv, error);
  }
}
