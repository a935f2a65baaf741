import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runOnTerminal, terminalAvailable } from "../../../../testing/terminal/terminal.js";
import { bothWrites, openCommandRig, restartNow, type CommandRig } from "../testing/command-rig.js";
import { connectorsPath } from "../testing/run-command.js";

let rig: CommandRig;
const outputs: string[] = [];

const secrets = {
  token: "planted-token-5f0c1d7e9b",
  fileToken: "planted-file-token-8812aa",
  pluginToken: "planted-plugin-token-77f3",
  pluginNoise: "planted-plugin-stderr-19d",
  pluginEnvironment: "planted-plugin-env-a0b1",
  proxyPassword: "planted-proxy-password-6",
  passphrase: "planted passphrase 4471",
  containerOutput: "planted-output-3f9",
};

beforeAll(async () => {
  rig = await openCommandRig();
  for (const [name, token] of [
    ["inline", secrets.token],
    ["file", secrets.fileToken],
    ["plugin", secrets.pluginToken],
  ] as const) {
    const rules = [{ verbs: ["*"], groups: ["*"], resources: ["*"] }];
    await rig.simulator.addUser({ name, token, groups: ["system:masters"], rules });
  }
});
afterAll(() => rig.close());

async function run(...args: readonly string[]): Promise<number | null> {
  const { code, stdout, stderr } = await rig.run(args);
  outputs.push(`$ ${args.join(" ")}\n${stdout}${stderr}`);
  return code;
}

function kubeconfig(user: object, cluster: object = {}): string {
  const { url, caPem } = rig.simulator;
  const ca = Buffer.from(caPem).toString("base64");
  return JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [
      { name: "c", cluster: { server: url, "certificate-authority-data": ca, ...cluster } },
    ],
    users: [{ name: "u", user }],
  });
}

function pluginUser(name: string, body: string): object {
  const script = rig.write(`${name}.sh`, `#!/bin/sh\n${body}\n`);
  chmodSync(script, 0o700);
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: script,
      interactiveMode: "Never",
      env: [{ name: "PLUGIN_SECRET", value: secrets.pluginEnvironment }],
    },
  };
}

const credential = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${secrets.pluginToken}"}}`;

/** Adds an adapter; one that can be added is then used in every way. */
async function useEverywhere(name: string, config: string): Promise<void> {
  const file = rig.write(`${name}.yaml`, config);
  const add = ["adapters", "add", "kubernetes", name, "--kubeconfig", file, ...bothWrites];
  if ((await run(...add, "-v")) !== 0) return;
  await run("adapters", "check", name, "-o", "json");
  await run("adapters", "show", name);
  await run("prepare", `${name}/deployment.rollout_restart`, ...restartNow.slice(1), "--check");
}

/** Every file below a folder, with its bytes. */
function readAll(folder: string): readonly (readonly [string, Buffer])[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path)]);
}

/** The forms in which a secret could slip out. */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1);
  return [secret, base64, encodeURIComponent(secret)];
}

test("nothing that is planted is in any output, error, audit record or file of the state", async () => {
  await useEverywhere("inline", kubeconfig({ token: secrets.token }));
  const noisy = `echo ${secrets.pluginNoise} >&2; echo '${credential}'`;
  await useEverywhere("plugin", kubeconfig(pluginUser("noisy", noisy)));
  const failing = `echo ${secrets.pluginNoise} >&2; echo '${credential}'; exit 3`;
  await useEverywhere("failing", kubeconfig(pluginUser("failing", failing)));
  const garbled = `echo '{"status":{"token":"${secrets.pluginToken}"'`;
  await useEverywhere("garbled", kubeconfig(pluginUser("garbled", garbled)));
  const proxy = { "proxy-url": `http://user:${secrets.proxyPassword}@127.0.0.1:9` };
  await useEverywhere("proxied", kubeconfig({ token: secrets.token }, proxy));
  await useEverywhere("broken", `${kubeconfig({ token: secrets.token })}: [`);
  await useEverywhere("certificate", rig.simulator.kubeconfig());

  const direct = [
    "--server",
    rig.simulator.url,
    "--ca-file",
    rig.write("ca.pem", rig.simulator.caPem),
  ];
  const tokenFile = ["--token-file", rig.write("token", secrets.fileToken)];
  await run("adapters", "add", "kubernetes", "direct", ...direct, ...tokenFile, ...bothWrites);

  const where = ["namespace=web", `pod=${rig.podName()}`, "container=app"];
  for (const adapter of ["inline", "direct", "plugin"]) {
    const exec = [`${adapter}/pods.exec`, ...where, "--", "echo", secrets.containerOutput];
    const write = await rig.approved(`${adapter}-exec.json`, exec);
    const ended = await rig.run(write);
    expect(ended.stdout).toContain(secrets.containerOutput);
    expect(ended.code).toBe(0);
    // The credential is revoked: its refusal must not tell it.
    const again = await rig.approved(`${adapter}-again.json`, exec);
    rig.simulator.removeUser({ inline: "inline", direct: "file", plugin: "plugin" }[adapter] ?? "");
    await run(...again);
  }
  if (terminalAvailable) {
    const { screen } = await runOnTerminal({
      argv: [process.execPath, connectorsPath, "keys", "rotate", "--passphrase"],
      typed: [
        { after: /New passphrase: $/, keys: `${secrets.passphrase}\n` },
        { after: /Again: $/, keys: `${secrets.passphrase}\n` },
      ],
      environment: { CONNECTORS_STATE: rig.state },
      timeoutMs: 60_000,
    });
    outputs.push(screen);
  }
  for (const args of [
    ["attempts", "list", "-o", "json"],
    ["audit", "export"],
    ["audit", "verify", "-o", "json"],
    ["doctor", "-v"],
    ["adapters", "list", "-o", "json"],
    ["approvers", "list", "-o", "json"],
    ["policy", "show"],
  ]) {
    await run(...args);
  }

  const keyPem = /client-key-data: (\S+)/.exec(rig.simulator.kubeconfig())?.[1] ?? "";
  const clientKey = Buffer.from(keyPem, "base64").toString().split("\n")[1] ?? "";
  expect(clientKey.length).toBeGreaterThan(40);
  const told = outputs.join("\n");
  const kept = readAll(rig.state);
  expect(kept.length).toBeGreaterThan(8);
  for (const [name, secret] of Object.entries({ ...secrets, clientKey, keyPem })) {
    for (const form of formsOf(secret)) {
      expect(told.includes(form), `${name} in an output`).toBe(false);
      for (const [path, bytes] of kept) {
        expect(bytes.includes(form), `${name} in ${path}`).toBe(false);
      }
    }
  }
}, 90_000);

test("an approver's private key is in its own file and nowhere else", () => {
  const keys = readAll(join(rig.state, "keys"));
  const pems = keys.map(([, bytes]) => {
    const { pkcs8_pem: pem } = JSON.parse(bytes.toString()) as { pkcs8_pem: string };
    return pem.split("\n")[1] ?? "";
  });
  expect(pems.length).toBeGreaterThan(0);
  const elsewhere = readAll(rig.state).filter(([path]) => !path.includes("/keys/"));
  for (const pem of pems) {
    expect(pem.length).toBeGreaterThan(30);
    expect(outputs.join("\n").includes(pem)).toBe(false);
    for (const [path, bytes] of elsewhere) expect(bytes.includes(pem), path).toBe(false);
  }
});
