import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openSimulator } from "@connectors/kubernetes-simulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnTerminal, terminalAvailable } from "../../../testing/terminal/terminal.js";
import { readFaults, readSeed } from "./commands/simulator-scripts.js";
import { openBareRig, type CommandRig } from "./testing/command-rig.js";
import { connectorsPath } from "./testing/run-command.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openBareRig();
});
afterAll(() => rig.close());

function readDocument(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
}

/** The first fenced block of a language. */
function blockOf(text: string, language: string): string {
  const found = new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(text);
  if (found === null) throw new Error(`there is no ${language} block`);
  return `${found[1] ?? ""}\n`;
}

describe("docs/simulator.md", () => {
  const text = readDocument("docs/simulator.md");

  test("shows a seed that a cluster starts with, and whose commands run", async () => {
    const seed = await readSeed(rig.write("seed.yaml", blockOf(text, "yaml")));
    if (!seed.ok) throw new Error(seed.failure.message);
    await using simulator = await openSimulator({ seed: seed.value });
    expect(simulator.users()).toContain("reader");
    expect(simulator.objects.get("apps", "deployments", "web", "shop")).toBeDefined();
  });

  test("shows a fault script that is taken", async () => {
    const faults = await readFaults(rig.write("faults.json", blockOf(text, "json")));
    expect(faults.ok && faults.value).toHaveLength(2);
  });
});

describe.runIf(terminalAvailable)("the README of the command", () => {
  test("shows commands that do what they say, one after another", async () => {
    const lines = blockOf(readDocument("packages/cli/README.md"), "").trim().split("\n");
    expect(lines.length).toBeGreaterThan(4);
    writeFileSync(rig.file("config"), rig.simulator.kubeconfig());
    const program = `'${process.execPath}' '${connectorsPath}'`;
    for (const line of lines) {
      const { code, screen } = await runOnTerminal({
        argv: ["/bin/sh", "-c", `cd '${rig.folder}' && ${line.replace(/^connectors/, program)}`],
        typed: [{ after: /\[y\/N\] $/, keys: "y\n" }],
        environment: { CONNECTORS_STATE: rig.state, KUBECONFIG: rig.file("config") },
        timeoutMs: 60_000,
      });
      expect(code, `${line}\n${screen}`).toBe(0);
    }
    const deployment = rig.simulator.objects.get("apps", "deployments", "web", "api");
    expect(deployment?.metadata.generation).toBe(2);
  });
});
