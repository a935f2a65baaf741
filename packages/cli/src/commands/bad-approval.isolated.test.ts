import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerOf,
  failureOf,
  openCommandRig,
  type CommandRig,
  type Signing,
} from "../testing/command-rig.js";

let rig: CommandRig;
let other: CommandRig;
let before = 0;
let prepared = "";
let proof = "";

const input = JSON.stringify({ namespace: "web", name: "api", uid: "u", resource_version: "1" });
const restart = ["dev/deployment.rollout_restart", "--input", input];

beforeAll(async () => {
  [rig, other] = await Promise.all([openCommandRig(), openCommandRig()]);
  before = rig.requests();
  prepared = await rig.prepare("good.json", restart);
  proof = await rig.approve(prepared);
});
afterAll(() => Promise.all([rig.close(), other.close()]));

function write(file: string, proofFile: string): ReturnType<CommandRig["run"]> {
  return rig.runHere(["write", "--prepared", file, "--proof", proofFile, "-o", "json"]);
}

describe("a prepared file of which one byte is another is refused, with no request", () => {
  const change = (make: (text: string) => string) => (bytes: string) => make(bytes);
  test.each<[string, (text: string) => string]>([
    ["its first byte", change((text) => `[${text.slice(1)}`)],
    ["its last brace", change((text) => text.replace(/\}\n$/, "]\n"))],
    ["no newline at its end", change((text) => text.trimEnd())],
    ["two newlines at its end", change((text) => `${text}\n`)],
    ["a carriage return", change((text) => text.replace(/\n$/, "\r\n"))],
    ["a space between members", change((text) => text.replace(",", ", "))],
    ["a byte order mark", change((text) => `\ufeff${text}`)],
    ["a digit of its input's digest", change((text) => flip(text, '"input_sha256":"'))],
    ["a digit of its subject's digest", change((text) => flip(text, '"subject_sha256":"'))],
    ["a letter of a digest in upper case", upperDigest],
    ["the name in its input", change((text) => text.replace('"name":"api"', '"name":"apj"'))],
    ["the version in its input", change((text) => text.replace('_version":"1"', '_version":"2"'))],
    ["its key", change((text) => flip(text, '"key":"'))],
    [
      "its format",
      change((text) => text.replace("connectors.prepared/1", "connectors.prepared/2")),
    ],
    ["the port of its cluster", change((text) => text.replace(/:(\d)(\d+)\//, ":1$2/"))],
    ["its user", change((text) => text.replace('"username":"admin"', '"username":"admim"'))],
    ["its limit", change((text) => flip(text, '"expires_at_ms":'))],
    ["its host", change((text) => flip(text, "connectors.host/"))],
    ["its caller", change((text) => text.replace('"caller":"os:', '"caller":"os:x'))],
    ["its adapter", change((text) => text.replace('"instance":"dev"', '"instance":"dew"'))],
    ["a letter written as an escape", change((text) => text.replace('"api"', '"\\u0061pi"'))],
    ["a member's place", change(swapMembers)],
    ["a member twice", change((text) => text.replace('{"format"', '{"key":null,"format"'))],
    ["a null of its route", change((text) => text.replace('"route":null', '"route":"x"'))],
    ["a byte that is no UTF-8", change((text) => text.replace('"api"', '"ap\udc80"'))],
    ["half of it gone", change((text) => text.slice(0, text.length / 2))],
    ["nothing in it", change(() => "")],
  ])("%s", async (what, make) => {
    const text = readFileSync(prepared, "utf8");
    const changed = make(text);
    expect(changed).not.toBe(text);
    const file = rig.write(`changed ${what}.json`, changed);
    const ended = await write(file, proof);
    const { code, hint, effect } = failureOf(ended);
    expect(["invalid_input", "forbidden", "not_found", "stale_description"]).toContain(code);
    expect(effect).toBe("none");
    expect(hint).not.toBe("");
    expect(ended.code).toBe(1);
    expect(rig.requests()).toBe(before);
  });
});

/** The first digit after `prefix` as another one. */
function flip(text: string, prefix: string): string {
  const at = text.indexOf(prefix) + prefix.length;
  const digit = text[at] === "1" ? "2" : "1";
  return text.slice(0, at) + digit + text.slice(at + 1);
}

function upperDigest(text: string): string {
  return text.replace(/("subject_sha256":"[0-9]*)([a-f])/, (_, head: string, letter: string) => {
    return head + letter.toUpperCase();
  });
}

function swapMembers(text: string): string {
  return text.replace('"name":"api","namespace":"web"', '"namespace":"web","name":"api"');
}

describe("a proof that does not approve is refused, with no request", () => {
  async function refuses(proofFile: string, code: string, reason?: string): Promise<void> {
    const ended = await write(prepared, proofFile);
    const answer = answerOf(ended);
    expect(answer.classification).toBe("not_attempted");
    expect(answer.failure).toMatchObject({ code, effect: "none" });
    expect(answer.failure?.reason).toBe(reason);
    expect(answer.failure?.hint).not.toBe("");
    expect(ended.code).toBe(1);
    expect(rig.requests()).toBe(before);
  }

  test.each([
    ["words", "not a proof"],
    ["two dots and nothing else", ".."],
    ["a byte that is no ASCII", "é.é.é"],
    ["a line too many", `${"a".repeat(10)}\n\n`],
  ])("%s", async (what, text) => {
    await refuses(rig.write(`${what}.proof`, text), "approval_refused", "bad_signature");
  });

  test("an empty one", async () => {
    const ended = await write(prepared, rig.write("empty.proof", ""));
    expect(failureOf(ended)).toMatchObject({ code: "invalid_input", effect: "none" });
    expect(ended.code).toBe(1);
  });

  test("one of which a byte is another, in each of its three parts", async () => {
    const parts = readFileSync(proof, "utf8").trimEnd().split(".");
    for (const [at, part] of parts.entries()) {
      const middle = Math.floor(part.length / 2);
      const letter = part[middle] === "A" ? "B" : "A";
      const changed = parts.with(at, part.slice(0, middle) + letter + part.slice(middle + 1));
      const file = rig.write(`part ${at}.proof`, `${changed.join(".")}\n`);
      await refuses(file, "approval_refused", "bad_signature");
    }
  });

  test.each<[string, Signing, string]>([
    ["one that is over", { aheadMs: -301_000 }, "expired"],
    ["one from the future", { aheadMs: 60_000 }, "not_yet_valid"],
  ])("%s", async (what, how, reason) => {
    const copy = rig.write(`${what}.json`, readFileSync(prepared));
    const file = await rig.approve(copy, how);
    await refuses(file, "approval_refused", reason);
  });

  test("one by another host's approver", async () => {
    const copy = rig.write("foreign.json", readFileSync(prepared));
    const file = await rig.approve(copy, { state: other.state });
    await refuses(file, "approval_refused", "unknown_key");
  });

  test("one of other bytes", async () => {
    const another = await rig.prepare("another.json", restart);
    await refuses(await rig.approve(another), "approval_refused", "wrong_subject");
  });

  test("one for another host", async () => {
    const theirs = await other.prepare("theirs.json", restart);
    const file = await rig.approve(theirs);
    await refuses(file, "approval_refused", "wrong_audience");
    const foreign = await write(theirs, file);
    expect(failureOf(foreign)).toMatchObject({ code: "invalid_input" });
    expect(foreign.code).toBe(1);
  });

  test("a prepared file that waited longer than it may", async () => {
    const late = await rig.prepare("late.json", [...restart, "--valid", "1s"]);
    const file = await rig.approve(late);
    const { expires_at_ms: endMs } = (
      JSON.parse(readFileSync(late, "utf8")) as { subject: { expires_at_ms: number } }
    ).subject;
    await expect.poll(() => Date.now() > endMs, { timeout: 5000 }).toBe(true);
    const ended = await write(late, file);
    expect(answerOf(ended).failure).toMatchObject({ code: "approval_refused", reason: "expired" });
    expect(ended.code).toBe(1);
  });

  test("none at all", async () => {
    const ended = await rig.run(["write", "--prepared", prepared, "-o", "json"]);
    const answer = answerOf(ended);
    expect(answer.failure?.code).toBe("approval_required");
    expect(answer.failure?.hint).toContain(`connectors approve ${prepared}`);
    expect(ended.stderr).toMatch(/^subject sha256: [0-9a-f]{64}\n$/);
    expect(ended.code).toBe(1);
    expect(rig.requests()).toBe(before);
  });
});
