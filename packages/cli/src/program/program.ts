import { Command, CommanderError } from "commander";
import { fail, failWith, succeed, type Outcome } from "@connectors/sdk";
import { exitCodes } from "../exit-code.js";
import { failUsage } from "../usage-failure.js";
import type { World } from "../world/world.js";
import { addApprovalCommands } from "./approval-commands.js";
import { withExamples } from "./flags.js";
import { addLedgerCommands } from "./ledger-commands.js";
import { addSetupCommands } from "./setup-commands.js";
import { commandPath, describeUsage, findCommand } from "./usage-error.js";
import { addWriteCommands } from "./write-commands.js";

/** What a command's action answers: its exit code. */
export type Run = (world: World) => Promise<number>;

/** Takes the one run that a command line chose. */
export interface Chooser {
  /** A command that takes nothing after `--`. */
  readonly choose: (run: Run) => void;
  /** A command that is handed what stood after `--`; null without it. */
  readonly chooseWithCommand: (
    run: (world: World, command: readonly string[] | null) => Promise<number>,
  ) => void;
}

/** How a parsed command line is carried out; kept apart so that help never loads a command. */
export interface Program {
  readonly command: Command;
  /** Filled by the action that was chosen. */
  chosen(): { readonly run: Run; readonly takesCommand: boolean } | null;
}

const introduction =
  "Lets software change a Kubernetes cluster without having to trust it: one exact effect is frozen, " +
  "approved, written down, sent at most once, and answered with what is known.";

const exitCodeHelp = `
Exit codes: 0 applied, or a read · 1 nothing was done · 2 usage · 3 UNKNOWN outcome
            4 applied, but the command failed · 130 interrupted before anything was sent`;

/** The whole tree of commands; nothing is loaded but their words. */
export function makeProgram(
  world: Pick<World, "out" | "err">,
  options: {
    /** Whether `completion` is one of the commands; its own library brings another. */
    readonly completion: boolean;
    /** What stood after `--`. */
    readonly after: readonly string[] | null;
  },
): Program {
  let chosen: ReturnType<Program["chosen"]> = null;
  const chooser: Chooser = {
    choose(run) {
      chosen = { run, takesCommand: false };
    },
    chooseWithCommand(run) {
      chosen = { run: (process) => run(process, options.after), takesCommand: true };
    },
  };
  const command = new Command("connectors")
    .description(introduction)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => world.out(text),
      writeErr: (text) => world.err(text),
      // An error is printed as every other one, once it is caught.
      outputError: () => undefined,
    })
    .helpCommand("help [command]", "explain a command")
    .addHelpText("after", exitCodeHelp);
  withExamples(command, [
    "connectors demo",
    "connectors init && connectors adapters add kubernetes prod --namespaces web --allow deployment.rollout_restart",
    "connectors write prod/deployment.rollout_restart --at-current namespace=web name=api",
  ]);
  addSetupCommands(command, chooser, options);
  addWriteCommands(command, chooser);
  addApprovalCommands(command, chooser);
  addLedgerCommands(command, chooser);
  return { command, chosen: () => chosen };
}

/** Splits off what stands after the first `--`: a command for a container, never flags of ours. */
export function splitCommand(argv: readonly string[]): {
  readonly own: readonly string[];
  readonly after: readonly string[] | null;
} {
  const at = argv.indexOf("--");
  return at < 0
    ? { own: argv, after: null }
    : { own: argv.slice(0, at), after: argv.slice(at + 1) };
}

/**
 * Parses a command line and says how to carry it out; help that was asked for is printed, and its
 * run does nothing more.
 */
export async function chooseRun(
  program: Program,
  own: readonly string[],
  after: readonly string[] | null,
): Promise<Outcome<Run>> {
  const { command } = program;
  try {
    await command.parseAsync([...own], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return succeed(() => Promise.resolve(exitCodes.ok));
    // A group without a command has printed its help to stderr, which says it all.
    if (error.code === "commander.help") return succeed(() => Promise.resolve(exitCodes.usage));
    return failWith(describeUsage(command, own, error));
  }
  const chosen = program.chosen();
  if (chosen === null) return fail("internal", "a command has no action");
  if (after !== null && !chosen.takesCommand) {
    const path = commandPath(findCommand(command, own));
    return failUsage("invalid_input", "nothing goes after `--` here", {
      hint: `\`${path} --help\` shows how it is used.`,
    });
  }
  return succeed(chosen.run);
}
