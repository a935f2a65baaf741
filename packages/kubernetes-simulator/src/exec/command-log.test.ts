import { expect, test } from "vitest";

import { makeCommandLog, type CommandRecord } from "./command-log.js";

function record(name: string): CommandRecord {
  return {
    namespace: "web",
    pod: "p",
    uid: "u",
    container: "c",
    command: [name],
    user: "ada",
    startedAtMs: 1,
  };
}

test("a command is on record from its start, and its end is added to it once", () => {
  const log = makeCommandLog();
  const end = log.started(record("a"));
  expect(log.list()).toEqual([record("a")]);
  end(5, 3);
  end(9, 0);
  expect(log.list()).toEqual([{ ...record("a"), endedAtMs: 5, exitCode: 3 }]);
});

test("the newest records are kept, and the end of one that was dropped changes nothing", () => {
  const log = makeCommandLog(2);
  const end = log.started(record("a"));
  log.started(record("b"));
  log.started(record("c"));
  end(5, 3);
  expect(log.list()).toEqual([record("b"), record("c")]);
  expect(log.droppedCount()).toBe(1);
});
