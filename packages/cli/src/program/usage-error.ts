import type { Command, CommanderError } from "commander";
import type { Failure } from "@connectors/sdk";
import { outputFormats, type OutputFormat } from "../output/format.js";
import { failUsage } from "../usage-failure.js";

const messageCharactersMax = 400;

/** The innermost command that the words name. */
export function findCommand(root: Command, words: readonly string[]): Command {
  let command = root;
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** `connectors adapters add`: a command with those above it. */
export function commandPath(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${commandPath(command.parent)} ${command.name()}`;
}

/** What is wrong with a command line, from what its parser says of it. */
export function describeUsage(
  root: Command,
  words: readonly string[],
  error: CommanderError,
): Failure {
  const text = error.message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .slice(0, messageCharactersMax);
  const path = commandPath(findCommand(root, words));
  return failUsage("invalid_input", text, { hint: `\`${path} --help\` shows how it is used.` })
    .failure;
}

/**
 * The format that a command line asks for, even when the rest of it cannot be parsed: a script
 * that reads JSON gets its errors as JSON.
 */
export function findAskedFormat(words: readonly string[]): OutputFormat {
  let asked: string | undefined;
  for (const [at, word] of words.entries()) {
    if (word === "-o" || word === "--output") asked = words[at + 1];
    else if (word.startsWith("--output=")) asked = word.slice("--output=".length);
    else if (/^-o./.test(word)) asked = word.slice(2);
  }
  return outputFormats.find((format) => format === asked) ?? "text";
}
