import { type Command, Option } from "commander";
import { attemptStateValues, operationDeclarations } from "@connectors/domain";
import { auditSequence, durationMs, pageSize } from "./flag-values.js";
import { withCommonFlags, withExamples, type CommonFlags } from "./flags.js";
import type { Chooser } from "./program.js";

/** Flags of `attempts list` and `attempts watch`. */
export interface AttemptFlags extends CommonFlags {
  readonly attemptState?: string;
  readonly operation?: string;
  readonly since?: number;
  readonly limit: number;
}

function withFilters(command: Command): Command {
  return withCommonFlags(
    command
      .addOption(
        new Option("--attempt-state <state>", "only these").choices([...attemptStateValues]),
      )
      .addOption(
        new Option("--operation <id>", "only this operation").choices(
          operationDeclarations.filter(({ profile }) => profile === "mutation").map(({ id }) => id),
        ),
      )
      .option("--since <time>", "only of the last 10m, 24h, …", durationMs)
      .option("--limit <n>", "at most so many", pageSize, 50),
  );
}

/** `attempts`, `audit`. */
export function addLedgerCommands(program: Command, { choose }: Chooser): void {
  program.commandsGroup("To look back:");
  const attempts = withExamples(
    program.command("attempts").description("the ledger of what was attempted"),
    [
      "connectors attempts list",
      "connectors attempts explain 01890a5d-ac96-774b-bcce-b302099a8057",
    ],
  );
  const commands = () => import("../commands/attempts.js");
  withExamples(withFilters(attempts.command("list").description("newest first")), [
    "connectors attempts list",
    "connectors attempts list --attempt-state Indeterminate -o json",
  ]).action((flags: AttemptFlags) =>
    choose(async (world) => (await commands()).runAttemptsList(world, flags)),
  );
  withExamples(
    withCommonFlags(
      attempts
        .command("show")
        .description("one attempt, whole")
        .argument("<id>", "an attempt's id, of `attempts list`"),
    ),
    [
      "connectors attempts show 01890a5d-ac96-774b-bcce-b302099a8057",
      "connectors attempts show 01890a5d-ac96-774b-bcce-b302099a8057 -o json",
    ],
  ).action((id: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runAttemptsShow(world, id, flags)),
  );
  withExamples(
    withCommonFlags(
      attempts
        .command("explain")
        .description("what is known, and what to look at next")
        .argument("<id>", "an attempt's id, of `attempts list`"),
    ),
    [
      "connectors attempts explain 01890a5d-ac96-774b-bcce-b302099a8057",
      "connectors attempts explain 01890a5d-ac96-774b-bcce-b302099a8057 -o json",
    ],
  ).action((id: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runAttemptsExplain(world, id, flags)),
  );
  withExamples(
    withCommonFlags(
      attempts
        .command("annotate")
        .description("attach evidence; changes no state")
        .argument("<id>", "an attempt's id, of `attempts list`")
        .argument("<text>", "what was found, for whoever looks next"),
    ),
    [
      'connectors attempts annotate 01890a5d-ac96-774b-bcce-b302099a8057 "the audit log shows no request"',
      "connectors attempts annotate 01890a5d-ac96-774b-bcce-b302099a8057 'seen in the pod' -o json",
    ],
  ).action((id: string, text: string, flags: CommonFlags) =>
    choose(async (world) => (await commands()).runAttemptsAnnotate(world, id, text, flags)),
  );
  withExamples(
    withFilters(attempts.command("watch").description("follow the ledger until interrupted")),
    ["connectors attempts watch", "connectors attempts watch -o jsonl"],
  ).action((flags: AttemptFlags) =>
    choose(async (world) => (await commands()).runAttemptsWatch(world, flags)),
  );

  const audit = withExamples(
    program.command("audit").description("the hash-chained record of decisions"),
    ["connectors audit verify", "connectors audit export > audit.jsonl"],
  );
  const auditCommands = () => import("../commands/audit.js");
  withExamples(
    withCommonFlags(
      audit
        .command("verify")
        .description("walk the chain, name the first record that does not fit"),
    ),
    ["connectors audit verify", "connectors audit verify -o json"],
  ).action((flags: CommonFlags) =>
    choose(async (world) => (await auditCommands()).runAuditVerify(world, flags)),
  );
  withExamples(
    withCommonFlags(
      audit
        .command("export")
        .description("every record as JSON Lines")
        .option("--since <sequence>", "from this record on", auditSequence, 0),
    ),
    ["connectors audit export > audit.jsonl", "connectors audit export --since 1000"],
  ).action((flags: CommonFlags & { since: number }) =>
    choose(async (world) => (await auditCommands()).runAuditExport(world, flags)),
  );
}
