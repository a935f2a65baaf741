import { Option, type Command } from "commander";
import { outputFormats, type OutputFormat } from "../output/format.js";

/** Flags that every command takes. */
export interface CommonFlags {
  readonly state?: string;
  readonly output: OutputFormat;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Adds the flags that hands already know. */
export function withCommonFlags(command: Command): Command {
  return command
    .option("--state <dir>", "where state lives (CONNECTORS_STATE)")
    .addOption(
      new Option("-o, --output <format>", "how to write the answer")
        .choices([...outputFormats])
        .default("text"),
    )
    .option("-q, --quiet", "no progress and no notices")
    .option("-v, --verbose", "say what is being done");
}

/** One sentence, the flags, and examples that can be pasted. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ ${example}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${lines}`);
}
