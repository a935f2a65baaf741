import { afterAll, beforeAll, expect, test } from "vitest";
import { failureOf, openCommandRig, type CommandRig } from "../testing/command-rig.js";

let rig: CommandRig;
beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig.close());

const atCurrent = ["prepare", "dev/deployment.rollout_restart", "--at-current", "-o", "json"];
const target = ["namespace=web", "name=api"];

test.each([
  [
    "a field that is none",
    ["--input", '{"namespace":"web","name":"api","foo":1}'],
    "invalid_input",
  ],
  ["a wait that is too long", [...target, "--valid", "999h"], "invalid_input"],
  ["a namespace that is not configured", ["namespace=db", "name=api"], "forbidden"],
])("--at-current with %s is refused before the Deployment is read", async (_what, words, code) => {
  const before = rig.requests();
  const ended = await rig.run([...atCurrent, ...words]);
  expect(failureOf(ended).code).toBe(code);
  expect(rig.requests()).toBe(before);
});

test("--at-current that no rule of the policy allows is refused before the Deployment is read", async () => {
  const none = rig.write("none.json", '{"format":"connectors.policy/1","id":"none","rules":[]}');
  expect((await rig.run(["policy", "set", none])).code).toBe(0);
  const before = rig.requests();
  expect(failureOf(await rig.run([...atCurrent, ...target])).code).toBe("forbidden");
  expect(rig.requests()).toBe(before);
});
