import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { execBounds } from "./exec-bounds.js";
import { parseExecScripts } from "./parse-scripts.js";

function issuesOf(value: unknown): readonly string[] {
  const parsed = parseExecScripts(value);
  return parsed.ok ? [] : parsed.issues.map(({ path }) => path);
}

test("a script is read with everything that it says", () => {
  const parsed = parseExecScripts([
    {
      namespace: "web",
      pod: "api-*",
      deployment: "api",
      container: "app",
      labels: { app: "api" },
      files: { "/etc/a": "text", "/etc/b": { base64: "AAE=" } },
      environment: { A: "b" },
      commands: [{ argv: ["id"] }],
    },
  ]);
  expect(parsed).toEqual({
    ok: true,
    value: [
      {
        target: {
          namespace: "web",
          pod: "api-*",
          deployment: "api",
          container: "app",
          labels: { app: "api" },
        },
        files: new Map([
          ["/etc/a", Buffer.from("text")],
          ["/etc/b", Buffer.from([0, 1])],
        ]),
        environment: new Map([["A", "b"]]),
        commands: [{ argv: ["id"], frames: [], end: { end: "exit", code: 0 }, endDelayMs: 0 }],
      },
    ],
  });
});

describe("what is wrong is said with its place", () => {
  const command = (part: object): unknown => [{ commands: [{ argv: ["id"], ...part }] }];
  test.each<readonly [unknown, string]>([
    [{}, "(top)"],
    [[1], "[0]"],
    [[{ pods: "x" }], "[0].pods"],
    [[{ pod: 1 }], "[0].pod"],
    [[{ labels: { a: 1 } }], "[0].labels.a"],
    [[{ files: { "etc/a": "x" } }], '[0].files."etc/a"'],
    [[{ files: { "/etc/../a": "x" } }], '[0].files."/etc/../a"'],
    [[{ files: { "/a": { base64: "?" } } }], '[0].files."/a".base64'],
    [[{ environment: { "a-b": "x" } }], "[0].environment.a-b"],
    [[{ commands: [{}] }], "[0].commands[0].argv"],
    [[{ commands: [{ argv: "id" }] }], "[0].commands[0].argv"],
    [command({ end: {} }), "[0].commands[0].end"],
    [command({ end: { exit: 1, lost: true } }), "[0].commands[0].end"],
    [command({ end: { exit: 256 } }), "[0].commands[0].end.exit"],
    [command({ end: { lost: false } }), "[0].commands[0].end.lost"],
    [command({ frames: [{}] }), "[0].commands[0].frames[0]"],
    [command({ frames: [{ text: "a", base64: "YQ==" }] }), "[0].commands[0].frames[0]"],
    [command({ frames: [{ text: "a", channel: 3 }] }), "[0].commands[0].frames[0].channel"],
    [command({ frames: [{ text: "a", stream: "x" }] }), "[0].commands[0].frames[0].stream"],
    [
      command({ frames: [{ text: "a", stream: "stdout", channel: 1 }] }),
      "[0].commands[0].frames[0]",
    ],
    [command({ frames: [{ text: "a", delayMs: -1 }] }), "[0].commands[0].frames[0].delayMs"],
  ])("%j", (value, path) => {
    expect(issuesOf(value)).toContain(path);
  });
});

test("bounds hold at the limit and one past it", () => {
  const scripts = (count: number): unknown => Array.from({ length: count }, () => ({}));
  expect(issuesOf(scripts(execBounds.scriptsMax))).toEqual([]);
  expect(issuesOf(scripts(execBounds.scriptsMax + 1))).toEqual(["(top)"]);
  const frame = (bytes: number): unknown => [
    { commands: [{ argv: [], frames: [{ text: "x".repeat(bytes) }] }] },
  ];
  expect(issuesOf(frame(execBounds.scriptFrameBytesMax))).toEqual([]);
  expect(issuesOf(frame(execBounds.scriptFrameBytesMax + 1))).toHaveLength(1);
  const files = (bytes: number, count: number): unknown => [
    {
      files: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`/f${index}`, "x".repeat(bytes)]),
      ),
    },
  ];
  expect(issuesOf(files(execBounds.fileBytesMax, 8))).toEqual([]);
  expect(issuesOf(files(execBounds.fileBytesMax + 1, 1))).toHaveLength(1);
  expect(issuesOf(files(execBounds.fileBytesMax, 9))).toEqual(["[0].files"]);
});

test("whatever the value, reading ends in scripts or in issues", () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 4 }), (value) => {
      const parsed = parseExecScripts(value);
      expect(parsed.ok || parsed.issues.length > 0).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
