import { execSubprotocolValues, intermediaryValues } from "@connectors/domain";
import { Option, type Command } from "commander";
import { commaList, commaListOf } from "./flag-values.js";
import { withCommonFlags, withExamples, type CommonFlags } from "./flags.js";
import type { Chooser } from "./program.js";

/** Flags of `adapters add`. */
export interface AddFlags extends CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly caFile?: string;
  readonly tokenFile?: string;
  readonly namespaces: readonly string[];
  readonly allow?: readonly string[];
  readonly execSubprotocols?: readonly string[];
  readonly intermediary?: "none" | "may_resend";
}

/** `adapters`. */
export function addAdapterCommands(program: Command, chooser: Chooser): void {
  const adapters = withExamples(
    program.command("adapters").description("connections to clusters"),
    ["connectors adapters list", "connectors adapters check prod"],
  );
  addAdd(adapters, chooser);
  addOthers(adapters, chooser);
}

function addAdd(adapters: Command, { choose }: Chooser): void {
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
        .option("--allow <operations>", "also allow this user these writes", commaList)
        .option(
          "--exec-subprotocols <list>",
          `what an exec offers, of ${execSubprotocolValues.join(", ")} (v4)`,
          commaListOf(execSubprotocolValues),
        )
        .addOption(
          new Option(
            "--intermediary <kind>",
            "may_resend when something between may send a request again",
          ).choices([...intermediaryValues]),
        ),
    ),
    [
      "connectors adapters add kubernetes prod --context prod --namespaces web",
      "connectors adapters add kubernetes dev --namespaces web --allow deployment.rollout_restart,pods.exec",
    ],
  ).action((kind: string, name: string, flags: AddFlags) =>
    choose(async (world) =>
      (await import("../commands/adapters-add.js")).runAdaptersAdd(world, kind, name, flags),
    ),
  );
}

function addOthers(adapters: Command, { choose }: Chooser): void {
  const commands = () => import("../commands/adapters.js");
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
      withCommonFlags(
        adapters
          .command(verb)
          .description(description)
          .argument("<name>", "an adapter of `adapters list`"),
      ),
      [`connectors adapters ${verb} prod`, `connectors adapters ${verb} prod -o json`],
    ).action((name: string, flags: CommonFlags) =>
      choose(async (world) => (await commands()).runAdapter(world, verb, name, flags)),
    );
  }
}
