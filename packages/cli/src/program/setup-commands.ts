import type { Command } from "commander";
import { addAdapterCommands } from "./adapter-commands.js";
import { port } from "./flag-values.js";
import {
  withAnswerFlags,
  withCommonFlags,
  withExamples,
  type AnswerFlags,
  type CommonFlags,
} from "./flags.js";
import type { Chooser } from "./program.js";

/** Flags of `simulate`. */
export interface SimulateFlags extends AnswerFlags {
  readonly port: number;
  readonly kubeconfig?: string;
  readonly seed?: string;
  readonly faults?: string;
}

/** Flags of `init`. */
export interface InitFlags extends CommonFlags {
  readonly passphrase?: boolean;
}

/** `demo`, `simulate`, `init`, `adapters`, `doctor`, `completion`, `version`. */
export function addSetupCommands(
  program: Command,
  chooser: Chooser,
  options: { readonly completion: boolean },
): void {
  const { choose } = chooser;
  program.commandsGroup("To begin:");
  withExamples(
    program
      .command("demo")
      .description("watch guarded writes on a built-in cluster; nothing outside is touched")
      .option("--no-color", "plain text"),
    ["connectors demo", "connectors demo --no-color > demo.txt"],
  ).action((flags: { color: boolean }) =>
    choose(async (world) => (await import("../demo/demo.js")).runDemo(world, flags)),
  );

  withExamples(
    withAnswerFlags(
      program
        .command("simulate")
        .description("run the simulated cluster until interrupted, with a kubeconfig for kubectl")
        .option("--port <n>", "port to listen on; 0 picks a free one", port, 0)
        .option("--kubeconfig <file>", "where to write the kubeconfig (a new temporary file)")
        .option("--seed <file>", "manifests and scripted commands to start with")
        .option("--faults <file>", "scripted faults"),
    ),
    [
      "connectors simulate --kubeconfig /tmp/sim.yaml",
      "KUBECONFIG=/tmp/sim.yaml kubectl -n web get pods",
    ],
  ).action((flags: SimulateFlags) =>
    choose(async (world) => (await import("../commands/simulate.js")).runSimulate(world, flags)),
  );

  withExamples(
    withCommonFlags(
      program
        .command("init")
        .description(
          "make a state directory with a host id, a ledger and an approver for this user",
        )
        .option("--passphrase", "encrypt the approver's key; asks on the terminal"),
    ),
    ["connectors init", "connectors init --state ./state"],
  ).action((flags: InitFlags) =>
    choose(async (world) => (await import("../commands/init.js")).runInit(world, flags)),
  );

  addAdapterCommands(program, chooser);

  withExamples(
    withCommonFlags(
      program
        .command("doctor")
        .description("check the machine, the store, the clock and permissions"),
    ),
    ["connectors doctor", "connectors doctor -o json"],
  ).action((flags: CommonFlags) =>
    choose(async (world) => (await import("../commands/doctor.js")).runDoctor(world, flags)),
  );

  if (options.completion) addCompletionCommand(program, chooser);

  withExamples(
    withAnswerFlags(
      program.command("version").description("print what this is and what it runs on"),
    ),
    ["connectors version", "connectors version -o json"],
  ).action((flags: AnswerFlags) =>
    choose(async (world) => (await import("../commands/version.js")).runVersion(world, flags)),
  );
}

function addCompletionCommand(program: Command, { choose }: Chooser): void {
  withExamples(
    program
      .command("completion")
      .description("print a completion script")
      .addArgument(
        program.createArgument("<shell>", "which shell").choices(["bash", "zsh", "fish"]),
      ),
    ["source <(connectors completion bash)", "connectors completion fish | source"],
  ).action((shell: string) =>
    choose(async (world) =>
      (await import("../commands/completion.js")).runCompletion(world, ["completion", shell]),
    ),
  );
}
