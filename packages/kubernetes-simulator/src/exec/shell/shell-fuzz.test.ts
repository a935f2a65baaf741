import * as fc from "fast-check";
import { expect, test } from "vitest";

import { makeInputQueue } from "../process/input-queue.js";
import { makeContainer } from "../process/container.js";
import { makeProcessGroup } from "../process/process-group.js";
import type { Ending } from "../process/program.js";
import { prepareCommand } from "../start-command.js";
import { makeManualTimers } from "../../testing/manual-timers.js";
import { parseScript } from "./parse-script.js";

interface Ran {
  readonly ending: Ending | undefined;
  readonly outputBytes: number;
  readonly closed: boolean;
}

// A script that never ends takes a turn after every thousand steps; it is ended after so many.
const TURNS_MAX = 20;

/** Runs a script with a reader that takes `roomBytes` and then nothing any more. */
function run(script: string, roomBytes: number): Ran {
  const timers = makeManualTimers();
  const container = makeContainer({
    hostname: "p",
    environment: new Map([["HOME", "/root"]]),
    files: new Map(),
  });
  const prepared = prepareCommand({
    argv: ["sh", "-c", script],
    tty: false,
    container,
    environment: container.environment,
    scripted: undefined,
    execId: "0",
  });
  if (prepared.kind === "failure") throw new Error(prepared.why);
  const input = makeInputQueue();
  input.push(Buffer.from("typed\n"));
  input.end();
  let outputBytes = 0;
  let ending: Ending | undefined;
  let closed = false;
  const group = makeProcessGroup(prepared.start, {
    timers,
    input,
    write: (_stream, bytes) => {
      outputBytes += bytes.length;
      return outputBytes < roomBytes;
    },
    inputRead: () => undefined,
    commandEnded: (end) => {
      ending = end;
    },
    streamsEnded: () => {
      closed = true;
    },
  });
  group.begin();
  for (let turn = 0; turn < TURNS_MAX && timers.fireNext();) turn += 1;
  // Ends what hangs, and what was left to itself.
  group.kill(9);
  expect(timers.waitingMs()).toEqual([]);
  return { ending, outputBytes, closed };
}

const WORDS = [
  "echo,true,false,cat,yes,sleep 1,exit 3,kill -9 $$,kill $!,wait,cd /tmp,pwd,set -e,head -c 10",
  "printf '%s',sh -c 'echo in',exec true,export A=1,A=2,seq 9,&&,||,;,&,|,(,),{,},!,\n,>&2,2>&1",
  '>/dev/null,< /etc/passwd,> /tmp/f,>> /tmp/f,",\',\\,$A,$?,$!,"$@",${A},${A:-b},$(,`,if,# c,*',
  "~,é,-c,--,/dev/zero,/nope,-",
].flatMap((line) => line.split(","));

const piece = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 }));

test("whatever the text, the shell's parser ends in lines and at most one problem", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 80 }), fc.array(piece)), (text) => {
      const script = parseScript(Array.isArray(text) ? text.join(" ") : text);
      expect(script.lines.length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 3_000 },
  );
});

test("whatever the script, it ends or hangs on its reader, and leaves nothing behind", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      const { ending, outputBytes, closed } = run(pieces.join(" "), 200_000);
      expect(ending).toBeDefined();
      expect(closed).toBe(true);
      expect(outputBytes).toBeLessThan(200_000 + 100 * 65_536);
    }),
    { numRuns: 1_500 },
  );
});

test("brackets nest to a limit and no deeper", () => {
  const nested = (depth: number): string | undefined =>
    parseScript(`${"(".repeat(depth)}echo a${")".repeat(depth)}`).problem;
  expect(nested(32)).toBeUndefined();
  expect(nested(33)).toBe("nested too deeply");
  expect(nested(100_000)).toBe("nested too deeply");
});

test("background tasks are made to a limit and no further", () => {
  const spawn = (count: number): Ran => run("sleep 1 & ".repeat(count), 1_000_000);
  expect(spawn(63).outputBytes).toBe(0);
  expect(spawn(64).outputBytes).toBe("sh: can't fork\n".length);
});

test("a program that writes nowhere still lets others have a turn", () => {
  const ran = run("yes > /dev/null & echo a; kill $!; wait; echo b", 1_000);
  expect(ran).toMatchObject({ closed: true, outputBytes: 4 });
});
