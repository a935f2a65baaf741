import { Option, type Command } from "commander";
import { outputFormats, type OutputFormat } from "../output/format.js";

/** Flags that every answer takes. */
export interface AnswerFlags {
  readonly output: OutputFormat;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Flags of every command that uses a state directory. */
export interface CommonFlags extends AnswerFlags {
  readonly state?: string;
}

/** Adds the flags of an answer. */
export function withAnswerFlags(command: Command): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", "how to write the answer")
        .choices([...outputFormats])
        .default("text"),
    )
    .option("-q, --quiet", "no progress and no notices")
    .option("-v, --verbose", "say what is being done");
}

/** Adds the flags that hands already know. */
export function withCommonFlags(command: Command): Command {
  return withAnswerFlags(command.option("--state <dir>", "where state lives (CONNECTORS_STATE)"));
}

/** One sentence, the flags, and examples that can be pasted. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ ${example}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${lines}`);
}
