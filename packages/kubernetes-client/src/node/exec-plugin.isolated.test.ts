import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import {
  execPluginLeewayMs,
  execPluginMsMax,
  execPluginOutputBytesMax,
  execPluginStopMs,
} from "@connectors/domain";
import type { Ambient, Outcome } from "@connectors/sdk";
import { makeManualAmbient, makeSystemAmbient } from "@connectors/sdk/testing";
import {
  answering,
  headerOf,
  openHostilePeer,
  type PlainAnswer,
} from "@connectors/transport/testing";
import { afterAll, describe, expect, test } from "vitest";
import { fixtureCertificates } from "../testing/fixture-certificates.js";
import { openConnection } from "./connection.js";
import type { ExecCredential } from "./exec-credential.js";
import { runExecPlugin, type PluginRequest } from "./exec-plugin.js";
import { readKubeconfig } from "./kubeconfig.js";
import type { NodeEnvironment } from "./node-environment.js";
import { makePluginCredentials } from "./plugin-credentials.js";

const folder = mkdtempSync(join(tmpdir(), "plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));

const environment: NodeEnvironment = {
  // The test's own Node goes first, so that plugins run on it.
  variables: { PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`, MINE: "x" },
  homeFolder: folder,
  workingFolder: folder,
  terminal: false,
};
const never = new AbortController().signal;
let names = 0;

/** A plugin that is a Node program. */
function writePlugin(program: string): string {
  const path = join(folder, `plugin-${(names += 1)}`);
  writeFileSync(path, `#!/usr/bin/env node\n${program}`);
  chmodSync(path, 0o700);
  return path;
}

const v1 = "client.authentication.k8s.io/v1";
const print = (status: object, apiVersion: string = v1): string =>
  `console.log(JSON.stringify({apiVersion: "${apiVersion}", kind: "ExecCredential", status: ${JSON.stringify(status)}}))`;

async function request(program: string | null, fields = ""): Promise<PluginRequest> {
  const command = program === null ? "" : `command: ${writePlugin(program)},`;
  const text = `{current-context: m, contexts: [{name: m, context: {cluster: c, user: u}}],
    clusters: [{name: c, cluster: {server: "https://h:6443/x", tls-server-name: api, certificate-authority: /ca,
      extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: a}}]}}],
    users: [{name: u, user: {exec: {apiVersion: ${v1}, ${command} interactiveMode: IfAvailable, ${fields}}}}]}`;
  const context = await readKubeconfig({ text });
  if (!context.ok) throw new Error(context.failure.message);
  const { authorization } = context.value.user;
  if (authorization.kind !== "exec") throw new Error("no plugin");
  return {
    plugin: authorization.plugin,
    cluster: context.value.cluster,
    caPem: fixtureCertificates.one.pem,
  };
}

async function run(
  program: string,
  options: {
    readonly fields?: string;
    readonly signal?: AbortSignal;
    readonly ambient?: Ambient;
  } = {},
): Promise<Outcome<ExecCredential>> {
  const ambient = options.ambient ?? makeSystemAmbient();
  const asked = await request(program, options.fields);
  return runExecPlugin(asked, { environment, ambient }, options.signal ?? never);
}

function told(outcome: Outcome<ExecCredential>): string {
  if (outcome.ok) return outcome.value.token?.reveal() ?? "certificate";
  return `${outcome.failure.code}: ${outcome.failure.message}`;
}

describe("a plugin", () => {
  test("is told of the request, and of the cluster only when it asks", async () => {
    const program = print({}).replace(
      "{}",
      '{token: Buffer.from(process.env.KUBERNETES_EXEC_INFO).toString("base64url")}',
    );
    const info = async (fields: string): Promise<unknown> =>
      JSON.parse(Buffer.from(told(await run(program, { fields })), "base64url").toString());
    expect(await info("")).toEqual({
      apiVersion: v1,
      kind: "ExecCredential",
      spec: { interactive: false },
    });
    expect(await info("provideClusterInfo: true")).toMatchObject({
      spec: {
        interactive: false,
        cluster: {
          server: "https://h:6443/x",
          "tls-server-name": "api",
          "certificate-authority-data": Buffer.from(fixtureCertificates.one.pem).toString("base64"),
          config: { audience: "a" },
        },
      },
    });
  });

  test("gets its arguments as they are, its variables, and this process's", async () => {
    const program = print({}).replace(
      "{}",
      '{token: Buffer.from([...process.argv.slice(2), process.env.A, process.env.MINE].join("|")).toString("hex")}',
    );
    const fields = `args: ["$(id) && *", "b c"], env: [{name: A, value: "1"}]`;
    const token = told(await run(program, { fields }));
    expect(Buffer.from(token, "hex").toString()).toBe("$(id) && *|b c|1|x");
  });

  test("may answer in YAML, with a certificate, with both", async () => {
    const yaml = `console.log("apiVersion: ${v1}\\nkind: ExecCredential\\nstatus:\\n  token: t0ken")`;
    expect(told(await run(yaml))).toBe("t0ken");
    const { pem, key } = fixtureCertificates.client;
    const pair = { clientCertificateData: pem, clientKeyData: key };
    expect(told(await run(print(pair)))).toBe("certificate");
    const both = await run(print({ ...pair, token: "t0ken" }));
    expect(both.ok && both.value.certificate?.pem.reveal()).toBe(pem);
  });

  test("is found on the PATH by its bare name", async () => {
    const asked = await request(null, "command: node, args: ['-e', 'process.exit(7)']");
    const outcome = await runExecPlugin(
      asked,
      { environment, ambient: makeSystemAmbient() },
      never,
    );
    expect(told(outcome)).toBe("unauthorized: the exec plugin ended with code 7");
  });

  test.each([
    [
      "no JSON",
      'console.log("s3cret: s3cret: x")',
      "unauthorized: the exec plugin's output is neither JSON nor YAML",
    ],
    ["nothing", "", "unauthorized: the exec plugin's output is not an ExecCredential"],
    [
      "another version",
      print({ token: "s3cret" }, "client.authentication.k8s.io/v1beta1"),
      "unauthorized: the exec plugin's output has another apiVersion than the kubeconfig",
    ],
    [
      "no credential",
      print({}),
      "unauthorized: the exec plugin's output has no token and no certificate",
    ],
    [
      "half a pair",
      print({ clientKeyData: "s3cret" }),
      "unauthorized: the exec plugin's output has half a certificate pair",
    ],
    [
      "a token of another type",
      print({ token: 12 }),
      "unauthorized: the exec plugin's output is not an ExecCredential",
    ],
    [
      "an expiry that is no time",
      print({ token: "s3cret", expirationTimestamp: "soon" }),
      "unauthorized: the exec plugin's output has an expirationTimestamp that is no time",
    ],
    [
      "a code",
      'console.error("s3cret"); process.exit(3)',
      "unauthorized: the exec plugin ended with code 3",
    ],
    [
      "a signal",
      'process.kill(process.pid, "SIGKILL")',
      "unauthorized: the exec plugin ended with SIGKILL",
    ],
  ])(
    "that answers with %s gives no credential, and is never quoted",
    async (_what, program, message) => {
      const outcome = await run(program);
      expect(told(outcome)).toBe(message);
      expect(JSON.stringify(outcome)).not.toContain("s3cret");
    },
  );

  test("that is not there is unavailable, with the kubeconfig's install hint", async () => {
    const asked = await request(null, "command: no-such-plugin, installHint: 'Get it\n  from us'");
    const outcome = await runExecPlugin(
      asked,
      { environment, ambient: makeSystemAmbient() },
      never,
    );
    expect(outcome.ok || outcome.failure).toMatchObject({
      code: "unavailable",
      message: "the exec plugin cannot be started (ENOENT)",
      hint: "Get it from us",
    });
  });

  test("that needs a terminal is not run without one", async () => {
    const marker = join(folder, "ran");
    const program = `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`;
    const asked = await request(program);
    const plugin = { ...asked.plugin, interactiveMode: "Always" as const };
    const host = { environment, ambient: makeSystemAmbient() };
    expect(told(await runExecPlugin({ ...asked, plugin }, host, never))).toBe(
      "unauthorized: the exec plugin needs a terminal",
    );
    expect(existsSync(marker)).toBe(false);
  });

  test("may print execPluginOutputBytesMax bytes and not one more", async () => {
    const head = '{"apiVersion":"' + v1 + '","kind":"ExecCredential","status":{"token":"t"},"p":"';
    const printing = (bytes: number): string =>
      `process.stdout.write(${JSON.stringify(head)} + "x".repeat(${bytes - head.length - 2}) + '"}')`;
    expect(told(await run(printing(execPluginOutputBytesMax)))).toBe("t");
    expect(told(await run(printing(execPluginOutputBytesMax + 1)))).toBe(
      "capacity: the exec plugin printed too much",
    );
  });
});

/** Polls until `ready`, for at most ten seconds. */
async function until(ready: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!ready()) {
    if (Date.now() > end) throw new Error("it never happened");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet is dead.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

describe("a plugin that does not end", () => {
  /** Never ends, not even when it is asked to, and has a child that does the same. */
  function stubborn(pidFile: string): string {
    return `
      process.on("SIGTERM", () => {});
      const {spawn} = require("child_process");
      const child = spawn(process.execPath, ["-e", 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {stdio: "inherit"});
      require("fs").writeFileSync(${JSON.stringify(pidFile)}, process.pid + " " + child.pid);
      setInterval(() => {}, 1000);`;
  }

  async function endsWith(
    name: string,
    stop: (ambient: ReturnType<typeof makeManualAmbient>, abort: AbortController) => void,
  ): Promise<string> {
    const pidFile = join(folder, name);
    const ambient = makeManualAmbient();
    const abort = new AbortController();
    const running = run(stubborn(pidFile), { ambient, signal: abort.signal });
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").includes(" "));
    stop(ambient, abort);
    ambient.advance(execPluginStopMs);
    const outcome = told(await running);
    const pids = readFileSync(pidFile, "utf8").split(" ").map(Number);
    await until(() => !pids.some(isAlive));
    return outcome;
  }

  test("is ended with its children at the deadline", async () => {
    expect(await endsWith("deadline", (ambient) => ambient.advance(execPluginMsMax))).toBe(
      "timeout: the exec plugin took too long",
    );
  });

  test("is ended with its children when the caller stops", async () => {
    expect(await endsWith("stopped", (_ambient, abort) => abort.abort())).toBe(
      "interrupted: the exec plugin was stopped",
    );
  });

  test("is not waited for by the child that it leaves behind", async () => {
    const program = `
      const {spawn} = require("child_process");
      const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)"], {stdio: "inherit", detached: true});
      child.unref();
      require("fs").writeFileSync(${JSON.stringify(join(folder, "left"))}, String(child.pid));
      ${print({ token: "t0ken" })}`;
    expect(told(await run(program))).toBe("t0ken");
    process.kill(Number(readFileSync(join(folder, "left"), "utf8")), "SIGKILL");
  });
});

describe("kept credentials", () => {
  /** A plugin that counts its runs in a file, and gives the count as its token. */
  function counting(name: string, expires = "null"): string {
    const file = JSON.stringify(join(folder, name));
    return `
      const fs = require("fs");
      fs.appendFileSync(${file}, "x");
      console.log(JSON.stringify({apiVersion: "${v1}", kind: "ExecCredential", status: {
        token: String(fs.statSync(${file}).size), expirationTimestamp: ${expires}}}))`;
  }

  test("are used until shortly before they expire", async () => {
    const ambient = makeManualAmbient();
    const expiresAtMs = ambient.clock.nowMs() + 60_000;
    const asked = await request(
      counting("expiring", JSON.stringify(new Date(expiresAtMs).toISOString())),
    );
    const plugins = makePluginCredentials({ environment, ambient });
    expect(told(await plugins.resolve(asked, never))).toBe("1");
    ambient.advance(60_000 - execPluginLeewayMs - 1);
    expect(told(await plugins.resolve(asked, never))).toBe("1");
    ambient.advance(1);
    expect(told(await plugins.resolve(asked, never))).toBe("2");
  });

  test("come from one run, however many ask at once, and one who stops stops nobody else", async () => {
    const asked = await request(counting("shared"));
    const plugins = makePluginCredentials({ environment, ambient: makeSystemAmbient() });
    const abort = new AbortController();
    const stopped = plugins.resolve(asked, abort.signal);
    const others = Array.from({ length: 9 }, () => plugins.resolve(asked, never));
    abort.abort();
    expect(told(await stopped)).toBe("interrupted: the exec plugin was stopped");
    expect((await Promise.all(others)).map(told)).toEqual(Array(9).fill("1"));
  });

  test("are not used for another command, argument, variable or cluster", async () => {
    const asked = await request(counting("keyed"));
    const plugins = makePluginCredentials({ environment, ambient: makeSystemAmbient() });
    const changes: readonly PluginRequest[] = [
      asked,
      { ...asked, plugin: { ...asked.plugin, arguments: ["x"] } },
      { ...asked, plugin: { ...asked.plugin, variables: [["A", "1"]] } },
      { ...asked, caPem: null },
    ];
    for (const [index, change] of changes.entries()) {
      expect(told(await plugins.resolve(change, never))).toBe(String(index + 1));
    }
    expect(told(await plugins.resolve({ ...asked, caPem: null }, never))).toBe("4");
  });

  test("of a run that was stopped by all are not waited for by the next", async () => {
    const asked = await request(counting("abandoned"));
    const plugins = makePluginCredentials({ environment, ambient: makeSystemAmbient() });
    const abort = new AbortController();
    const stopped = plugins.resolve(asked, abort.signal);
    abort.abort();
    const next = plugins.resolve(asked, never);
    expect(told(await stopped)).toContain("interrupted");
    expect(told(await next)).toMatch(/^[12]$/);
  });
});

describe("a connection whose user is a plugin", () => {
  test("runs it once more when the server no longer takes what was kept", async () => {
    const file = join(folder, "revoked");
    const plugin = writePlugin(`
      const fs = require("fs");
      fs.appendFileSync(${JSON.stringify(file)}, "x");
      console.log(JSON.stringify({apiVersion: "${v1}", kind: "ExecCredential", status: {token: "t" + fs.statSync(${JSON.stringify(file)}).size}}))`);
    let accepted = "Bearer t1";
    const { server, one } = fixtureCertificates;
    await using peer = await openHostilePeer({
      tls: { cert: server.pem, key: server.key },
      script: answering((request_): PlainAnswer => {
        if (headerOf(request_, "authorization") !== accepted) return { status: 401 };
        const kind = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
        return {
          status: 201,
          body: JSON.stringify({ ...kind, status: { userInfo: { username: "ada" } } }),
        };
      }),
    });
    const ca = Buffer.from(one.pem).toString("base64");
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(
      kubeconfig,
      `{current-context: m, contexts: [{name: m, context: {cluster: c, user: u}}],
        clusters: [{name: c, cluster: {server: "${peer.url}", certificate-authority-data: ${ca}}}],
        users: [{name: u, user: {exec: {apiVersion: ${v1}, command: ${plugin}, interactiveMode: Never}}}]}`,
    );
    const ambient = makeManualAmbient();
    const source = { kind: "kubeconfig", kubeconfig, context: null } as const;
    await using connection = openConnection({ source, environment, ambient });
    const capture = async (): Promise<string> => {
      const captured = await connection.capture({ signal: never });
      return captured.ok ? captured.value.username : captured.failure.code;
    };
    expect(await capture()).toBe("ada");
    // A minute on the review is due again, and the server has forgotten the token.
    ambient.advance(60_000);
    accepted = "Bearer t2";
    expect(await capture()).toBe("ada");
    expect(readFileSync(file, "utf8")).toBe("xx");
    // A server that takes none of them is asked twice and not again.
    ambient.advance(60_000);
    accepted = "Bearer other";
    expect(await capture()).toBe("unauthorized");
    expect(readFileSync(file, "utf8")).toBe("xxx");
  });
});
