import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { faultBounds } from "./fault-bounds.js";
import { FAULTS_FORMAT, parseFaults } from "./parse-faults.js";
import type { Parsed } from "./untrusted.js";
import type { FaultRule } from "./fault.js";

function parseRule(rule: unknown): Parsed<readonly FaultRule[]> {
  return parseFaults(JSON.stringify({ format: FAULTS_FORMAT, rules: [rule] }));
}

function parseFault(fault: unknown): unknown {
  const parsed = parseRule({ fault });
  return parsed.ok ? parsed.value[0]?.fault : parsed.issues;
}

describe("every fault has a form", () => {
  test.each([
    [{ kind: "delay", ms: 5 }],
    [{ kind: "delay", ms: 5, at: "after_commit" }],
    [{ kind: "drop_before_commit" }],
    [{ kind: "drop_after_commit" }],
    [{ kind: "reset" }],
    [{ kind: "reset", at: "after_commit" }],
    [{ kind: "half_open", at: "before_commit" }],
    [{ kind: "duplicate" }],
    [{ kind: "exec_handshake", break: "subprotocol_doubled" }],
  ])("%j", (fault) => {
    expect(parseFault(fault)).toEqual(fault);
  });

  test("an answer's body is sent as it is when it is text, and as JSON when it is not", () => {
    expect(parseFault({ kind: "answer", status: 200, body: "hi" })).toEqual({
      kind: "answer",
      answer: { status: 200, headers: {}, body: "hi" },
    });
    const status = { kind: "Status", code: 500 };
    expect(parseFault({ kind: "answer_after_commit", status: 500, body: status })).toEqual({
      kind: "answer_after_commit",
      answer: {
        status: 500,
        headers: { "content-type": "application/json" },
        body: '{"kind":"Status","code":500}\n',
      },
    });
    expect(parseFault({ kind: "answer", status: 302, headers: { Location: "/x" } })).toEqual({
      kind: "answer",
      answer: { status: 302, headers: { location: "/x" }, body: "" },
    });
  });

  test("acts are names where a name is enough", () => {
    const fault = {
      kind: "exec_stream",
      when: { messages: 2 },
      acts: [
        "stall",
        { act: "wait", ms: 3 },
        { act: "close", code: 1001 },
        { act: "message", channel: 3, text: "é" },
        { act: "message", channel: 9, base64: "AAE=" },
        { act: "message", channel: 1 },
        { act: "flood", channel: 1, bytes: 10 },
        { act: "text_message", text: "x" },
        { act: "raw", base64: "/w==" },
        { act: "pings", times: 4 },
      ],
    };
    expect(parseFault(fault)).toEqual({
      kind: "exec_stream",
      when: { at: "messages", count: 2 },
      acts: [
        { act: "stall" },
        { act: "wait", ms: 3 },
        { act: "close", code: 1001 },
        { act: "message", channel: 3, data: Buffer.from("é") },
        { act: "message", channel: 9, data: Buffer.from([0, 1]) },
        { act: "message", channel: 1, data: new Uint8Array() },
        { act: "flood", channel: 1, bytes: 10, times: 1 },
        { act: "text_message", text: "x" },
        { act: "raw", data: Buffer.from([255]) },
        { act: "pings", times: 4 },
      ],
    });
  });

  test("a moment is a name, a count of messages or a time", () => {
    const when = (moment: unknown): unknown =>
      parseFault({ kind: "exec_stream", when: moment, acts: [] });
    expect(when("before_status")).toMatchObject({ when: { at: "before_status" } });
    expect(when({ ms: 0 })).toMatchObject({ when: { at: "elapsed", ms: 0 } });
    expect(when({ messages: 1 })).toMatchObject({ when: { at: "messages", count: 1 } });
  });
});

test("a match keeps what it says, the method in upper case", () => {
  const match = {
    method: "patch",
    pathPattern: "/apis/*",
    user: "ada",
    nth: 2,
    times: "always",
  };
  const parsed = parseRule({ match, fault: { kind: "reset" } });
  expect(parsed).toEqual({
    ok: true,
    value: [{ match: { ...match, method: "PATCH" }, fault: { kind: "reset" } }],
  });
});

describe("what is wrong is said with its place", () => {
  test.each([
    ["", "(top)"],
    ["[]", "(top)"],
    ["{}", "format"],
    [JSON.stringify({ format: "other", rules: [] }), "format"],
    [JSON.stringify({ format: FAULTS_FORMAT }), "rules"],
    [JSON.stringify({ format: FAULTS_FORMAT, rules: {} }), "rules"],
    [JSON.stringify({ format: FAULTS_FORMAT, rules: [], more: 1 }), "more"],
  ])("%s", (text, path) => {
    const parsed = parseFaults(text);
    expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.path)).toContain(path);
  });

  test.each<readonly [unknown, string]>([
    [{}, "rules[0].fault"],
    [{ fault: 1 }, "rules[0].fault"],
    [{ fault: { kind: "nope" } }, "rules[0].fault.kind"],
    [{ fault: { kind: "delay" } }, "rules[0].fault.ms"],
    [{ fault: { kind: "delay", ms: -1 } }, "rules[0].fault.ms"],
    [{ fault: { kind: "delay", ms: 1.5 } }, "rules[0].fault.ms"],
    [{ fault: { kind: "reset", at: "noon" } }, "rules[0].fault.at"],
    [{ fault: { kind: "duplicate", at: "x" } }, "rules[0].fault.at"],
    [{ fault: { kind: "answer", status: 101 } }, "rules[0].fault.status"],
    [{ fault: { kind: "answer", status: 600 } }, "rules[0].fault.status"],
    [
      { fault: { kind: "answer", status: 200, headers: { a: "b\r\nc" } } },
      "rules[0].fault.headers.a",
    ],
    [
      { fault: { kind: "answer", status: 200, headers: { "a b": "c" } } },
      'rules[0].fault.headers."a b"',
    ],
    [{ match: { nth: 0 }, fault: { kind: "reset" } }, "rules[0].match.nth"],
    [{ match: { times: "ever" }, fault: { kind: "reset" } }, "rules[0].match.times"],
    [{ match: { command: ["id"] }, fault: { kind: "reset" } }, "rules[0]"],
    [{ match: { path: "/" }, fault: { kind: "reset" } }, "rules[0].match.path"],
    [{ fault: { kind: "exec_handshake", break: "leg" } }, "rules[0].fault.break"],
    [{ fault: { kind: "exec_stream", when: {}, acts: [] } }, "rules[0].fault.when"],
    [
      { fault: { kind: "exec_stream", when: { ms: 1, messages: 1 }, acts: [] } },
      "rules[0].fault.when",
    ],
    ...[
      "wait",
      { act: "wait" },
      { act: "close", code: 1006 },
      { act: "close", code: 999 },
      { act: "message", channel: 256 },
      { act: "message", channel: 1, text: "a", base64: "YQ==" },
      { act: "raw", base64: "YQ" },
      { act: "text_message" },
      { act: "flood", channel: 1, bytes: faultBounds.floodBytesMax, times: 5 },
      { act: "pings", times: 0 },
      { act: "cut", ms: 1 },
    ].map(
      (act) =>
        [
          { fault: { kind: "exec_stream", when: "switch", acts: [act] } },
          "rules[0].fault.acts[0]",
        ] as const,
    ),
  ])("%j", (rule, path) => {
    const parsed = parseRule(rule);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.issues.every((issue) => issue.path.startsWith(path))).toBe(true);
  });
});

test("bounds hold at the limit and one past it", () => {
  const rules = (count: number): string =>
    JSON.stringify({
      format: FAULTS_FORMAT,
      rules: Array.from({ length: count }, () => ({ fault: { kind: "reset" } })),
    });
  expect(parseFaults(rules(faultBounds.rulesMax)).ok).toBe(true);
  expect(parseFaults(rules(faultBounds.rulesMax + 1)).ok).toBe(false);
  const spaces = (bytes: number): string => rules(1) + " ".repeat(bytes - rules(1).length);
  expect(parseFaults(spaces(faultBounds.textBytesMax)).ok).toBe(true);
  expect(parseFaults(spaces(faultBounds.textBytesMax + 1)).ok).toBe(false);
  const delay = (ms: number): boolean => parseRule({ fault: { kind: "delay", ms } }).ok;
  expect(delay(faultBounds.delayMsMax)).toBe(true);
  expect(delay(faultBounds.delayMsMax + 1)).toBe(false);
});

test("whatever the text, parsing ends in rules or in issues that can be shown", () => {
  const word = fc.constantFrom(
    ..."kind,exec_stream,when,acts,act,flood,match,nth,answer,status".split(","),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(word, fc.string()), tie("tree"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (rule) => {
      const parsed = parseRule(rule);
      if (parsed.ok) return;
      expect(parsed.issues.length).toBeGreaterThan(0);
      for (const { path } of parsed.issues) expect(path).toMatch(/^rules\[0\]/u);
    }),
    { numRuns: 2_000 },
  );
});
