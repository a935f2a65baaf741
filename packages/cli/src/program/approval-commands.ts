import { operationDeclarations } from "@connectors/domain";
import type { Command } from "commander";
import { withCommonFlags, withExamples, type CommonFlags } from "./flags.js";
import type { Chooser } from "./program.js";
import { commaList, commaListOf } from "./flag-values.js";

/** Flags of `approve`. */
export interface ApproveFlags extends CommonFlags {
  readonly proofOut?: string;
  readonly acceptCluster?: boolean;
}

/** Flags of `approvers add`. */
export interface ApproverFlags extends CommonFlags {
  readonly publicKey: string;
  readonly operations: readonly string[];
  readonly adapters: readonly string[];
}

/** `approve`, `approvers`, `keys`, `policy`. */
export function addApprovalCommands(program: Command, { choose }: Chooser): void {
  program.commandsGroup("To approve:");
  withExamples(
    withCommonFlags(
      program
        .command("approve")
        .description("show exactly what a prepared file would do, ask, and sign")
        .argument("<prepared>", "a file that `prepare` made")
        .option("--proof-out <file>", "where to write the proof (PREPARED.proof)")
        .option("--accept-cluster", "sign for a cluster that this state directory does not know"),
    ),
    ["connectors approve restart.json", "connectors approve restart.json --proof-out /tmp/proof"],
  ).action((prepared: string, flags: ApproveFlags) =>
    choose(async (world) =>
      (await import("../commands/approve.js")).runApprove(world, prepared, flags),
    ),
  );

  const approvers = withExamples(
    program.command("approvers").description("the host's table of approvers"),
    ["connectors approvers list", "connectors approvers revoke bob"],
  );
  const approverCommands = () => import("../commands/approvers.js");
  withExamples(withCommonFlags(approvers.command("list").description("who may approve what")), [
    "connectors approvers list",
    "connectors approvers list -o json",
  ]).action((flags: CommonFlags) =>
    choose(async (world) => (await approverCommands()).runApproversList(world, flags)),
  );
  withExamples(
    withCommonFlags(
      approvers
        .command("add")
        .description("let a public key approve some operations")
        .argument("<name>", "what to call the approver")
        .requiredOption("--public-key <key>", "Ed25519 public key, base64url")
        .requiredOption(
          "--operations <list>",
          "operations, or *",
          commaListOf(["*", ...operationDeclarations.map(({ id }) => id)]),
        )
        .option("--adapters <list>", "adapters, or *", commaList, ["*"]),
    ),
    [
      "connectors approvers add bob --public-key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo --operations pods.exec",
      "connectors approvers add bob --public-key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo --operations '*' --adapters staging",
    ],
  ).action((name: string, flags: ApproverFlags) =>
    choose(async (world) => (await approverCommands()).runApproversAdd(world, name, flags)),
  );
  withExamples(
    withCommonFlags(
      approvers
        .command("revoke")
        .description("end every key of an approver, at once")
        .argument("<name>", "an approver of `approvers list`"),
    ),
    ["connectors approvers revoke bob", "connectors approvers revoke bob -o json"],
  ).action((name: string, flags: CommonFlags) =>
    choose(async (world) => (await approverCommands()).runApproversRevoke(world, name, flags)),
  );

  addKeyCommands(program, { choose });
  addPolicyCommands(program, { choose });
}

function addKeyCommands(program: Command, { choose }: Pick<Chooser, "choose">): void {
  const keys = withExamples(program.command("keys").description("this user's approval keys"), [
    "connectors keys list",
    "connectors keys rotate",
  ]);
  const commands = () => import("../commands/keys.js");
  withExamples(withCommonFlags(keys.command("list").description("keys with their states")), [
    "connectors keys list",
    "connectors keys list -o json",
  ]).action((flags: CommonFlags) =>
    choose(async (world) => (await commands()).runKeysList(world, flags)),
  );
  withExamples(
    withCommonFlags(
      keys
        .command("rotate")
        .description("make a new key and retire the old one")
        .option("--passphrase", "encrypt the new key; asks on the terminal"),
    ),
    ["connectors keys rotate", "connectors keys rotate --passphrase"],
  ).action((flags: CommonFlags & { passphrase?: boolean }) =>
    choose(async (world) => (await commands()).runKeysRotate(world, flags)),
  );
  withExamples(
    withCommonFlags(
      keys
        .command("revoke")
        .description("end a key at once")
        .argument("<kid>", "a key's id, of `keys list`"),
    ),
    [
      "connectors keys revoke kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      "connectors keys revoke kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k -o json",
    ],
  ).action((kid: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runKeysRevoke(world, kid, flags)),
  );
}

function addPolicyCommands(program: Command, { choose }: Pick<Chooser, "choose">): void {
  const policy = withExamples(
    program.command("policy").description("what is allowed; everything else is not"),
    ["connectors policy show > policy.json", "connectors policy set policy.json"],
  );
  const commands = () => import("../commands/policy.js");
  withExamples(withCommonFlags(policy.command("show").description("the policy in force")), [
    "connectors policy show > policy.json",
    "connectors policy show -o json",
  ]).action((flags: CommonFlags) =>
    choose(async (world) => (await commands()).runPolicyShow(world, flags)),
  );
  withExamples(
    withCommonFlags(
      policy
        .command("set")
        .description("replace the policy; every unspent approval becomes invalid")
        .argument("<file>", "a policy as `policy show` prints it"),
    ),
    ["connectors policy set policy.json", "connectors policy set policy.json -o json"],
  ).action((file: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runPolicySet(world, file, flags)),
  );
  withExamples(
    withCommonFlags(
      policy
        .command("test")
        .description("which rule allows a prepared write, or why none does")
        .argument("<prepared>", "a file that `prepare` made"),
    ),
    ["connectors policy test restart.json", "connectors policy test restart.json -o json"],
  ).action((prepared: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runPolicyTest(world, prepared, flags)),
  );
}
