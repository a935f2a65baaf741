import { policyBytesMax, preparedFileBytesMax, proofBytesMax } from "@connectors/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, openCommandRig, type CommandRig } from "../testing/command-rig.js";

let rig: CommandRig;
let before = 0;

beforeAll(async () => {
  rig = await openCommandRig();
  before = rig.requests();
});
afterAll(() => rig.close());

const where = { namespace: "web", pod: "api-0", container: "app" };
const target = { namespace: "web", name: "api", uid: "u", resource_version: "1" };

async function prepare(operation: string, input: object, ...flags: readonly string[]) {
  const stdin = JSON.stringify(input);
  return rig.run(["prepare", `dev/${operation}`, "--input", "-", "-o", "json", ...flags], {
    stdin,
  });
}

async function refuses(
  ended: ReturnType<CommandRig["run"]>,
  code: string,
  says: RegExp = /./,
): Promise<void> {
  const { code: exit, stdout, stderr, signal } = await ended;
  const failure = failureOf({ code: exit, stdout, stderr, signal });
  expect(failure).toMatchObject({ code, effect: "none" });
  expect(failure.message).toMatch(says);
  expect(failure.hint).not.toBe("");
  expect(exit).toBe(1);
  expect(rig.requests()).toBe(before);
}

async function accepts(ended: ReturnType<CommandRig["run"]>): Promise<void> {
  const { code, stdout, stderr } = await ended;
  expect(stdout + stderr).toContain("connectors.prepared/1");
  expect(code).toBe(0);
  expect(rig.requests()).toBe(before);
}

describe("an input that does not fit is refused with 1 and no request", () => {
  test.each([
    ["a missing field", "pods.exec", { ...where }, /\/command is required/],
    ["an extra field", "pods.exec", { ...where, command: ["id"], shell: true }, /\/shell/],
    ["text for a list", "pods.exec", { ...where, command: "id" }, /\/command/],
    [
      "text for a number",
      "pods.exec",
      { ...where, command: ["id"], timeout_seconds: "5" },
      /\/timeout/,
    ],
    ["a fraction", "pods.exec", { ...where, command: ["id"], timeout_seconds: 1.5 }, /\/timeout/],
    ["null", "pods.exec", { ...where, command: null }, /\/command/],
    [
      "a number for text",
      "deployment.rollout_restart",
      { ...target, resource_version: 1 },
      /\/resource_version/,
    ],
    ["an empty uid", "deployment.rollout_restart", { ...target, uid: "" }, /\/uid/],
    [
      "a version that is none",
      "deployment.rollout_restart",
      { ...target, resource_version: "01" },
      /\/resource_version/,
    ],
    ["a name with a slash", "deployment.rollout_restart", { ...target, name: "../x" }, /\/name/],
    ["an empty argument", "pods.exec", { ...where, command: ["id", ""] }, /\/command/],
    ["no arguments", "pods.exec", { ...where, command: [] }, /\/command/],
  ])("%s", async (_, operation, input, says) => {
    await refuses(prepare(operation, input), "invalid_input", says);
  });

  test.each([
    ["a member twice", '{"namespace":"web","namespace":"web"}', "invalid_input"],
    ["a byte order mark", '\ufeff{"namespace":"web"}', "invalid_input"],
    ["a lone surrogate", '{"namespace":"\\ud800"}', "invalid_input"],
    ["a number beyond a double", '{"timeout_seconds":1e999}', "invalid_input"],
    ["nesting of 65", `${"[".repeat(65)}${"]".repeat(65)}`, "capacity"],
    ["a list", "[]", "invalid_input"],
    ["an unfinished object", "{", "invalid_input"],
    ["nothing", "", "invalid_input"],
    ["more bytes than an input has", `{"a":"${"x".repeat(4 * 1024 * 1024)}"}`, "capacity"],
  ])("--input - with %s", async (_, stdin, code) => {
    const words = ["prepare", "dev/pods.exec", "--input", "-", "-o", "json"];
    await refuses(rig.runHere(words, stdin), code);
  });

  test("a namespace that is not configured", async () => {
    const input = { ...where, namespace: "batch", command: ["id"] };
    await refuses(prepare("pods.exec", input), "forbidden", /namespace/);
  });

  test("a key for what takes none, and one of 257 bytes", async () => {
    const exec = { ...where, command: ["id"] };
    await refuses(prepare("pods.exec", exec, "--key", "k"), "invalid_input", /no key/);
    const long = "k".repeat(257);
    await refuses(prepare("deployment.rollout_restart", target, "--key", long), "invalid_input");
    await accepts(prepare("deployment.rollout_restart", target, "--key", long.slice(1)));
  });

  test("a wait of more than a day", async () => {
    await refuses(prepare("deployment.rollout_restart", target, "--valid", "25h"), "invalid_input");
    await accepts(prepare("deployment.rollout_restart", target, "--valid", "24h"));
  });

  test("an adapter that is not there, and a write of a read", async () => {
    const read = ["write", "dev/deployments.get", "namespace=web", "name=api", "-o", "json"];
    await refuses(rig.runHere(read), "unsupported", /read/);
    await refuses(
      rig.runHere(["read", "dve/deployments.get", "-o", "json"]),
      "not_found",
      /Did you mean dev\?/,
    );
    const write = ["dev/deployment.rollout_restart", "--input", JSON.stringify(target)];
    await refuses(rig.runHere(["read", ...write, "-o", "json"]), "forbidden");
  });
});

describe("a size at its limit is taken, and one past it is not", () => {
  const sized = (bytes: number): string => "x".repeat(bytes);
  test.each([
    ["an argument of 4,096 bytes", [sized(4096)], [sized(4097)]],
    ["64 arguments", Array<string>(64).fill("x"), Array<string>(65).fill("x")],
    [
      "16,384 bytes of arguments",
      [sized(4096), sized(4096), sized(4096), sized(4096)],
      [sized(4096), sized(4096), sized(4096), sized(4095), "é"],
    ],
  ])("%s", async (_, most, tooMuch) => {
    await accepts(prepare("pods.exec", { ...where, command: most }));
    await refuses(prepare("pods.exec", { ...where, command: tooMuch }), "invalid_input");
  });

  test("a name of 253 characters, and a timeout of 60 s", async () => {
    const name = (length: number): string => `${"a".repeat(length - 1)}b`;
    await accepts(prepare("deployment.rollout_restart", { ...target, name: name(253) }));
    await refuses(
      prepare("deployment.rollout_restart", { ...target, name: name(254) }),
      "invalid_input",
    );
    const exec = { ...where, command: ["id"] };
    await accepts(prepare("pods.exec", { ...exec, timeout_seconds: 60 }));
    await refuses(prepare("pods.exec", { ...exec, timeout_seconds: 61 }), "invalid_input");
  });

  test("a prepared file, a proof, and a policy that are longer than any can be", async () => {
    const big = rig.write(
      "big.json",
      "x".repeat(Math.max(preparedFileBytesMax, policyBytesMax) + 2),
    );
    const json = ["-o", "json"];
    await refuses(rig.runHere(["write", "--prepared", big, ...json]), "capacity", /prepared file/);
    await refuses(rig.runHere(["policy", "set", big, ...json]), "capacity", /policy file/);
    const prepared = await rig.prepare("big-proof.json", [
      "dev/deployment.rollout_restart",
      "--input",
      JSON.stringify(target),
    ]);
    const proof = rig.write("big.proof", "x".repeat(proofBytesMax + 3));
    await refuses(
      rig.runHere(["write", "--prepared", prepared, "--proof", proof, ...json]),
      "capacity",
      /proof file/,
    );
  });
});
