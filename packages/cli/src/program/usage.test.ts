import { expect, test } from "vitest";
import { isUsage } from "../usage-failure.js";
import { chooseRun, makeProgram, splitCommand } from "./program.js";

const exec = ["write", "dev/pods.exec"];

const wrong: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  ["an unknown command of a group", ["adapters", "lisst"], /Did you mean list\?/],
  ["a flag without its value", ["attempts", "list", "--limit"], /argument missing/],
  ["a flag's value that is none", ["init", "-o", "xml"], /Allowed choices are text, json, jsonl/],
  ["a duration that is none", [...exec, "--deadline", "5x"], /500ms, 20s, 10m or 24h/],
  ["a page of none", ["attempts", "list", "--limit", "0"], /It is 1\.\.1000/],
  ["too many words", ["version", "now"], /too many arguments/],
  ["a missing word", ["describe"], /missing required argument 'operation'/],
  ["a missing flag", ["adapters", "add", "kubernetes", "x"], /--namespaces/],
  ["a command for a command without", ["init", "--", "id"], /nothing goes after `--`/],
  ["a list with a hole", ["adapters", "add", "kubernetes", "x", "--namespaces", "a,,b"], /a,b,c/],
  [
    "an exec offer that is none",
    ["adapters", "add", "kubernetes", "x", "--namespaces", "a", "--exec-subprotocols", "v3"],
    /v4, v5/,
  ],
  ["a shell that is none", ["completion", "tcsh"], /Allowed choices are bash, zsh, fish/],
  ["`requests`, which comes later", ["requests", "list"], /unknown command/],
  ["`approver`, which comes later", ["approver", "init"], /unknown command/],
  ["`audit checkpoint`, which comes later", ["audit", "checkpoint"], /unknown command/],
];

test.each(wrong)("%s is a usage failure, told with what to do", async (_, args, says) => {
  const shown: string[] = [];
  const world = {
    out: (text: string) => shown.push(text),
    err: (text: string) => shown.push(text),
  };
  const { own, after } = splitCommand(args);
  const run = await chooseRun(makeProgram(world, { completion: true, after }), own, after);
  if (run.ok) throw new Error("it was understood");
  expect(run.failure.message).toMatch(says);
  expect(run.failure.hint).toMatch(/^`connectors.* --help` shows how it is used\.$/);
  expect(isUsage(run.failure)).toBe(true);
  expect(shown).toEqual([]);
});
