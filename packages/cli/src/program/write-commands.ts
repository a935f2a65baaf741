import type { Command } from "commander";
import { durationMs } from "./flag-values.js";
import { withCommonFlags, withExamples, type CommonFlags } from "./flags.js";
import type { Chooser } from "./program.js";

/** How an operation and its input are named. */
export interface InputFlags extends CommonFlags {
  readonly input?: string;
  readonly namespace?: string;
}

/** How a write is frozen. */
export interface FreezeFlags extends InputFlags {
  readonly key?: string;
  readonly valid?: number;
  readonly atCurrent?: boolean;
}

/** Flags of `prepare`. */
export interface PrepareFlags extends FreezeFlags {
  readonly check?: boolean;
}

/** Flags of `write`. */
export interface WriteFlags extends FreezeFlags {
  readonly deadline?: number;
  readonly prepared?: string;
  readonly proof?: string;
  readonly raw?: boolean;
  readonly acceptCluster?: boolean;
}

function withInput(command: Command): Command {
  return withCommonFlags(
    command
      .argument("[operation]", "ADAPTER/OPERATION")
      .argument("[input...]", "field=value, field:=json; a command goes after --")
      .option("-n, --namespace <name>", "the same as namespace=NAME")
      .option("--input <file>", "JSON: a file, - for stdin, or the text itself"),
  );
}

/** `operations`, `describe`, `read`, `prepare`, `write`. */
export function addWriteCommands(program: Command, chooser: Chooser): void {
  const { choose, chooseWithCommand } = chooser;
  program.commandsGroup("To read and to write:");
  withExamples(
    withCommonFlags(
      program
        .command("operations")
        .description("what can be read and written")
        .argument("[adapter]", "only of this adapter"),
    ),
    ["connectors operations", "connectors operations prod -o json"],
  ).action((adapter: string | undefined, flags: CommonFlags) =>
    choose(async (world) =>
      (await import("../commands/operations.js")).runOperations(world, adapter, flags),
    ),
  );

  withExamples(
    withCommonFlags(
      program
        .command("describe")
        .description("an operation's fields, bounds, and an example that runs")
        .argument("<operation>", "ADAPTER/OPERATION"),
    ),
    [
      "connectors describe prod/pods.exec",
      "connectors describe prod/deployment.rollout_restart -o json",
    ],
  ).action((operation: string, flags: CommonFlags) =>
    choose(async (world) =>
      (await import("../commands/operations.js")).runDescribe(world, operation, flags),
    ),
  );

  withExamples(
    withInput(program.command("read").description("read something; nothing outside changes")),
    [
      "connectors read prod/deployments.get namespace=web name=api",
      "connectors read prod/deployments.get -n web name=api -o json",
    ],
  ).action((operation: string | undefined, pairs: string[], flags: InputFlags) =>
    chooseWithCommand(async (world, command) =>
      (await import("../commands/read.js")).runRead(world, { operation, pairs, command, flags }),
    ),
  );

  withExamples(
    withInput(
      program
        .command("prepare")
        .description("freeze a write into a file that can be approved; sends nothing")
        .option("--key <key>", "idempotency key, for operations that take one")
        .option("--valid <time>", "how long it may wait for an approver", durationMs)
        .option("--at-current", "read the Deployment once and freeze that version")
        .option("--check", "ask the API server whether RBAC would allow it"),
    ),
    [
      "connectors prepare prod/deployment.rollout_restart --at-current namespace=web name=api > restart.json",
      "connectors prepare prod/pods.exec namespace=web pod=api-0 container=app -- id > exec.json",
    ],
  ).action((operation: string | undefined, pairs: string[], flags: PrepareFlags) =>
    chooseWithCommand(async (world, command) =>
      (await import("../commands/prepare.js")).runPrepare(world, {
        operation,
        pairs,
        command,
        flags,
      }),
    ),
  );

  withExamples(
    withInput(
      program
        .command("write")
        .description("freeze, ask for approval on the terminal, send once, say what is known")
        .option("--key <key>", "idempotency key, for operations that take one")
        .option("--deadline <time>", "shorten the total time (20s)", durationMs)
        .option("--at-current", "read the Deployment once and freeze that version")
        .option("--prepared <file>", "commit exactly the bytes of a prepared file")
        .option("--proof <file>", "the approval of that file")
        .option("--accept-cluster", "approve for a cluster that was never seen before")
        .option("--raw", "write a container's output to a terminal as it is"),
    ),
    [
      "connectors write prod/pods.exec namespace=web pod=api-0 container=app -- id",
      "connectors write --prepared restart.json --proof restart.json.proof -o json",
    ],
  ).action((operation: string | undefined, pairs: string[], flags: WriteFlags) =>
    chooseWithCommand(async (world, command) =>
      (await import("../commands/write.js")).runWrite(world, { operation, pairs, command, flags }),
    ),
  );
}
