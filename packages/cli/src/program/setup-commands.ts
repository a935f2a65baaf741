import { type Command, InvalidArgumentError } from "commander";
import { withCommonFlags, withExamples, type CommonFlags } from "./flags.js";
import type { Run } from "./program.js";

function port(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError("a port is 0..65535.");
  return value;
}

/** A list written with commas; no empty parts. */
export function commaList(text: string): readonly string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.some((part) => part === "")) throw new InvalidArgumentError("write a,b,c.");
  return parts;
}

/** Flags of `adapters add`. */
export interface AddFlags extends CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly caFile?: string;
  readonly tokenFile?: string;
  readonly namespaces: readonly string[];
  readonly allow: readonly string[];
  readonly execSubprotocols?: readonly string[];
  readonly intermediary?: "none" | "may_resend";
}

/** Flags of `simulate`. */
export interface SimulateFlags {
  readonly port: number;
  readonly kubeconfig?: string;
  readonly seed?: string;
  readonly faults?: string;
  readonly quiet?: boolean;
}

/** Flags of `init`. */
export interface InitFlags extends CommonFlags {
  readonly passphrase?: boolean;
}

/** `demo`, `simulate`, `init`, `adapters`, `doctor`, `completion`, `version`. */
export function addSetupCommands(
  program: Command,
  choose: (run: Run) => void,
  options: { readonly completion: boolean },
): void {
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
    program
      .command("simulate")
      .description("run the simulated cluster until interrupted, with a kubeconfig for kubectl")
      .option("--port <n>", "port to listen on; 0 picks a free one", port, 0)
      .option("--kubeconfig <file>", "where to write the kubeconfig")
      .option("--seed <file>", "manifests and scripted commands to start with")
      .option("--faults <file>", "scripted faults")
      .option("-q, --quiet", "print the kubeconfig's path only"),
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

  addAdapterCommands(program, choose);

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

  if (options.completion) addCompletionCommand(program, choose);

  withExamples(
    withCommonFlags(
      program.command("version").description("print what this is and what it runs on"),
    ),
    ["connectors version", "connectors version -o json"],
  ).action((flags: CommonFlags) =>
    choose(async (world) => (await import("../commands/version.js")).runVersion(world, flags)),
  );
}

function addCompletionCommand(program: Command, choose: (run: Run) => void): void {
  withExamples(
    program
      .command("completion")
      .description("print a completion script")
      .addArgument(program.createArgument("<shell>").choices(["bash", "zsh", "fish"])),
    ["source <(connectors completion bash)", "connectors completion fish | source"],
  ).action((shell: string) =>
    choose(async (world) =>
      (await import("../commands/completion.js")).runCompletion(world, ["completion", shell]),
    ),
  );
}

function addAdapterCommands(program: Command, choose: (run: Run) => void): void {
  const adapters = program.command("adapters").description("connections to clusters");
  const commands = () => import("../commands/adapters.js");

  withExamples(
    withCommonFlags(
      adapters
        .command("add")
        .description("probe a cluster, check what RBAC grants, and write its configuration")
        .argument("<kind>", "kubernetes")
        .argument("<name>", "what to call it")
        .option("--kubeconfig <file>", "kubeconfig to use (KUBECONFIG, ~/.kube/config)")
        .option("--context <name>", "context of it (the current one)")
        .option("--server <url>", "API server, instead of a kubeconfig")
        .option("--ca-file <file>", "its CA certificates")
        .option("--token-file <file>", "file that holds the bearer token")
        .requiredOption("--namespaces <a,b>", "namespaces that may be touched", commaList)
        .option("--allow <operations>", "also allow this user these writes", commaList, [])
        .option("--exec-subprotocols <list>", "what an exec offers (v4)", commaList)
        .option(
          "--intermediary <kind>",
          "none, or may_resend when a proxy may send a request again",
        ),
    ),
    [
      "connectors adapters add kubernetes prod --context prod --namespaces web",
      "connectors adapters add kubernetes dev --namespaces web --allow deployment.rollout_restart,pods.exec",
    ],
  ).action((kind: string, name: string, flags: AddFlags) =>
    choose(async (world) => (await commands()).runAdaptersAdd(world, kind, name, flags)),
  );

  withExamples(
    withCommonFlags(adapters.command("list").description("the adapters of this state directory")),
    ["connectors adapters list", "connectors adapters list -o json"],
  ).action((flags: CommonFlags) =>
    choose(async (world) => (await commands()).runAdaptersList(world, flags)),
  );

  for (const [verb, description] of [
    ["show", "one adapter's configuration and identity"],
    ["check", "connection, identity, certificate expiry, verbs granted and missing"],
    ["remove", "forget an adapter; its attempts stay in the ledger"],
  ] as const) {
    withExamples(
      withCommonFlags(adapters.command(verb).description(description).argument("<name>")),
      [`connectors adapters ${verb} prod`, `connectors adapters ${verb} prod -o json`],
    ).action((name: string, flags: CommonFlags) =>
      choose(async (world) => (await commands()).runAdapter(world, verb, name, flags)),
    );
  }
}
