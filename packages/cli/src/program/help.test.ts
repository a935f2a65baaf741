import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { commandPath } from "./usage-error.js";
import { chooseRun, makeProgram } from "./program.js";

function silent(): { readonly shown: string[]; readonly world: Parameters<typeof makeProgram>[0] } {
  const shown: string[] = [];
  return { shown, world: { out: (text) => shown.push(text), err: (text) => shown.push(text) } };
}

function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

const { command: root } = makeProgram(silent().world, { completion: true, after: null });
const everyLevel = listCommands(root).filter((command) => command.name() !== "help");

async function helpOf(command: Command): Promise<string> {
  const { shown, world } = silent();
  const program = makeProgram(world, { completion: true, after: null });
  const words = commandPath(command).split(" ").slice(1);
  const run = await chooseRun(program, [...words, "--help"], null);
  expect(run.ok).toBe(true);
  return shown.join("");
}

describe("help", () => {
  test("of every level is as the golden file has it", async () => {
    const texts: string[] = [];
    for (const command of everyLevel) {
      texts.push(`$ ${commandPath(command)} --help\n${await helpOf(command)}`);
    }
    await expect(texts.join("\n")).toMatchFileSnapshot("../testing/golden/help.txt");
  });

  test.each(everyLevel.map((command) => [commandPath(command), command] as const))(
    "of `%s` is a sentence, its flags, and two examples or more",
    async (_, command) => {
      const text = await helpOf(command);
      expect(command.description()).toMatch(/^[a-zL].*[^.]$|^Lets .*\.$/);
      expect(text).toContain("\nOptions:\n");
      const examples = text.slice(text.indexOf("\nExamples:\n")).match(/^ {2}\$ /gm) ?? [];
      expect(examples.length).toBeGreaterThanOrEqual(2);
      for (const argument of command.registeredArguments) {
        expect(argument.description, argument.name()).not.toBe("");
      }
    },
  );

  test("has no command that comes later", () => {
    const names = everyLevel.map(commandPath);
    for (const later of ["serve", "requests", "approver", "audit checkpoint"]) {
      expect(names).not.toContain(`connectors ${later}`);
    }
  });
});
