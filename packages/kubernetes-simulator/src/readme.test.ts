import { readFileSync } from "node:fs";
import { request } from "node:https";

import { expect, test } from "vitest";

import { defaultSeed, openSimulator, type Simulator } from "./index.js";

// README
/** Restarts web/api as a bot whose answer is lost; the generations that the cluster has stored. */
export async function loseAnAnswer(): Promise<readonly (number | undefined)[]> {
  await using simulator = await openSimulator({
    seed: defaultSeed(), // namespace web with Deployment api, its Pods ready
    pace: { podReadyMs: 50, podReplaceMs: 20 },
  });
  const { token } = await simulator.addUser({
    name: "bot",
    rules: [{ verbs: ["patch"], groups: ["apps"], resources: ["deployments"] }],
  });
  simulator.faults.use([{ match: { user: "bot" }, fault: { kind: "drop_after_commit" } }]);
  const answer = await restart(simulator, token); // your client, given url, caPem and token
  if (answer !== "lost") throw new Error("an answer came through");
  return simulator.objects
    .history("apps", "deployments", "web", "api")
    .map(({ object }) => object.metadata.generation); // ends with 2: it has happened
}
// end

const PATH = "/apis/apps/v1/namespaces/web/deployments/api";

function restart(simulator: Simulator, token: string): Promise<number | "lost"> {
  const annotations = { "kubectl.kubernetes.io/restartedAt": "1" };
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/strategic-merge-patch+json",
  };
  return new Promise((resolve) => {
    const options = { method: "PATCH", headers, ca: simulator.caPem };
    request(`${simulator.url}${PATH}`, options, ({ statusCode = 0 }) => {
      resolve(statusCode);
    })
      .on("error", () => {
        resolve("lost");
      })
      .end(JSON.stringify({ spec: { template: { metadata: { annotations } } } }));
  });
}

function exampleText(): string {
  const source = readFileSync(new URL(import.meta.url), "utf8");
  return /\n\/\/ README\n(.*?)\n\/\/ end\n/s.exec(source)?.[1] ?? "";
}

test("the example of the README is this one, and runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(exampleText()).not.toBe("");
  expect(readme).toContain(exampleText());
  const generations = await loseAnAnswer();
  expect(generations.at(-1)).toBe(2);
});
