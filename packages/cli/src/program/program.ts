import { Command, CommanderError } from "commander";
import { exitCodes } from "../exit-code.js";
import type { World } from "../world/world.js";
import { addApprovalCommands } from "./approval-commands.js";
import { addLedgerCommands } from "./ledger-commands.js";
import { addSetupCommands } from "./setup-commands.js";
import { addWriteCommands } from "./write-commands.js";

/** What a command's action answers: its exit code. */
export type Run = (world: World) => Promise<number>;

/** How a parsed command line is carried out; kept apart so that help never loads a command. */
export interface Program {
  readonly command: Command;
  /** Filled by the action that was chosen. */
  chosen(): Run | null;
}

/** The whole tree of commands; nothing is loaded but their words. */
export function makeProgram(
  world: World,
  options: { readonly completion: boolean } = { completion: true },
): Program {
  let run: Run | null = null;
  const choose = (next: Run): void => {
    run = next;
  };
  const command = new Command("connectors")
    .description(
      "Lets software change a Kubernetes cluster without having to trust the software: one exact\n" +
        "effect is frozen, approved, written down, sent at most once, and answered with what is known.",
    )
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => world.out(text),
      writeErr: (text) => world.err(text),
    })
    .helpCommand("help [command]", "explain a command")
    .addHelpText(
      "after",
      `
Exit codes: 0 applied, or a read · 1 nothing was done · 2 usage · 3 UNKNOWN outcome
            4 applied, but the command failed · 130 interrupted before anything was sent

Examples:
  $ connectors demo
  $ connectors init && connectors adapters add kubernetes prod --namespaces web --allow deployment.rollout_restart
  $ connectors write prod/deployment.rollout_restart --at-current namespace=web name=api`,
    );
  addSetupCommands(command, choose, options);
  addWriteCommands(command, choose);
  addApprovalCommands(command, choose);
  addLedgerCommands(command, choose);
  return { command, chosen: () => run };
}

/** Splits off what stands after the first `--`: a command for a container, never flags of ours. */
export function splitCommand(argv: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[] | null;
} {
  const at = argv.indexOf("--");
  return at < 0
    ? { own: argv, command: null }
    : { own: argv.slice(0, at), command: argv.slice(at + 1) };
}

/** Parses a command line and says how to carry it out, or the exit code that it ended with. */
export async function chooseRun(program: Program, own: readonly string[]): Promise<Run | number> {
  try {
    await program.command.parseAsync([...own], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const fine = ["commander.helpDisplayed", "commander.help", "commander.version"];
    return fine.includes(error.code) && error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  return program.chosen() ?? exitCodes.usage;
}
