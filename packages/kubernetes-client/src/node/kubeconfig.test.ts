import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { kubeconfigBytesMax, kubeconfigFilesMax } from "@connectors/domain";
import { afterAll, describe, expect, test } from "vitest";
import { fixtureCertificates } from "../testing/fixture-certificates.js";
import { defaultKubeconfigPaths, readKubeconfig, splitKubeconfigList } from "./kubeconfig.js";
import type { NodeEnvironment } from "./node-environment.js";

const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function config(user: string, cluster = "server: https://one.example:6443"): string {
  return `
apiVersion: v1
kind: Config
current-context: main
contexts: [{name: main, context: {cluster: c, user: u, namespace: web}}]
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]
`;
}

/** What a text's current context is read as, or `code: message`. */
async function read(text: string, context?: string): Promise<unknown> {
  const outcome = await readKubeconfig({ text, ...(context === undefined ? {} : { context }) });
  return outcome.ok ? outcome.value : `${outcome.failure.code}: ${outcome.failure.message}`;
}

describe("a context", () => {
  test("is read with its cluster, its user and its namespace", async () => {
    expect(await read(config("token: t0ken"))).toMatchObject({
      name: "main",
      namespace: "web",
      cluster: {
        server: { baseUrl: "https://one.example:6443/", hostname: "one.example", pathPrefix: "/" },
        ca: null,
        insecure: false,
        serverName: null,
        proxyUrl: null,
      },
      user: { certificate: null, authorization: { kind: "token" }, impersonation: null },
      files: [],
    });
  });

  test("that is JSON is read as well", async () => {
    const json = {
      "current-context": "m",
      contexts: [{ name: "m", context: { cluster: "c" } }],
      clusters: [{ name: "c", cluster: { server: "https://[::1]" } }],
      users: null,
      preferences: {},
    };
    expect(await read(JSON.stringify(json))).toMatchObject({
      namespace: null,
      cluster: { server: { baseUrl: "https://[::1]:443/", hostname: "::1" } },
      user: { authorization: { kind: "none" } },
    });
  });

  test("may be any that is listed, and must be", async () => {
    const text = config("token: a").replace(
      "contexts: [",
      "contexts: [{name: other, context: {cluster: c}}, ",
    );
    expect(await read(text, "other")).toMatchObject({ name: "other", namespace: null });
    expect(await read(text, "absent")).toBe("not_found: the kubeconfig has no such context");
    expect(await read(text.replace("current-context: main", ""))).toBe(
      "invalid_input: the kubeconfig has no current context; name one",
    );
  });

  test.each([
    [
      "names a cluster that is not there",
      "cluster: c, user",
      "cluster: x, user",
      "the context's cluster is not there",
    ],
    ["names a user that is not there", "user: u,", "user: x,", "the context's user is not there"],
    ["names no cluster", "cluster: c, user", "user", "the context names no cluster"],
    [
      "has a namespace that is a number",
      "namespace: web",
      "namespace: 8",
      "the context's namespace has the wrong type",
    ],
  ])("that %s is refused", async (_what, from, to, message) => {
    expect(await read(config("token: a").replace(from, to))).toBe(`invalid_input: ${message}`);
  });
});

describe("what a kubeconfig is", () => {
  test.each([
    ["an empty text", "", "the kubeconfig has no current context; name one"],
    ["a list", "[]", "the kubeconfig: document has the wrong type"],
    ["another kind", "kind: Pod", "the kubeconfig is not a v1 Config"],
    ["another version", "apiVersion: v2", "the kubeconfig is not a v1 Config"],
    ["broken YAML", "a: [", "the kubeconfig: no valid YAML (bad indent) at line 1"],
    ["two documents", "a: 1\n---\nb: 1", "the kubeconfig: no valid YAML (multiple docs) at line 2"],
    ["a member twice", "kind: Config\nkind: Config", "the kubeconfig: a member twice at line 2"],
    [
      "an unknown tag",
      "a: !!binary aGk=",
      "the kubeconfig: no valid YAML (tag resolve failed) at line 1",
    ],
    ["contexts that are no list", "contexts: {}", "the kubeconfig: contexts has the wrong type"],
    [
      "a context without a name",
      "contexts: [{context: {}}]",
      "the kubeconfig: one of its contexts has no name",
    ],
    [
      "a name twice",
      "users: [{name: a}, {name: a}]",
      "the kubeconfig names one of its users twice",
    ],
    // kubectl reads YAML 1.1, where these are a boolean and a number.
    [
      "a context called y",
      "contexts: [{name: y}]",
      "the kubeconfig: contexts.name has the wrong type",
    ],
    [
      "a context called 1e3",
      "contexts: [{name: 1e3}]",
      "the kubeconfig: contexts.name has the wrong type",
    ],
    [
      "an alias bomb",
      `a: &a [x]\nb: &b [${"*a,".repeat(20)}]\nc: [${"*b,".repeat(20)}]`,
      "the kubeconfig: too many YAML aliases",
    ],
  ])("%s is refused", async (_what, text, message) => {
    expect(await read(text)).toBe(`invalid_input: ${message}`);
  });

  test("a name that looks like a date or a clock is text, as in kubectl", async () => {
    for (const name of ["2026-11-30", "12:34"]) {
      const text = config("token: a").replaceAll("main", name);
      expect(await read(text)).toMatchObject({ name });
    }
  });

  test("anchors and merge keys work", async () => {
    const text = config("token: a").replace(
      "[{name: c, cluster: {",
      "[{name: c, cluster: {<<: {proxy-url: 'http://p'}, ",
    );
    expect(await read(text)).toMatchObject({ cluster: { server: { hostname: "one.example" } } });
  });

  test("no failure repeats what stands in it", async () => {
    for (const text of [
      "token: s3cret: s3cret",
      "'s3cret",
      "users: [{name: s3cret}, {name: s3cret}]",
    ]) {
      expect(await read(text)).not.toContain("s3cret");
    }
  });
});

describe("a cluster", () => {
  const cluster = async (fields: string): Promise<unknown> => {
    const outcome = await readKubeconfig({ text: config("token: a", fields) });
    return outcome.ok
      ? outcome.value.cluster
      : `${outcome.failure.code}: ${outcome.failure.message}`;
  };

  test("may have a CA, another name, a proxy and a plugin's configuration", async () => {
    const { pem } = fixtureCertificates.one;
    const settings = await cluster(
      `server: "https://h/p", certificate-authority: x, certificate-authority-data: ${base64(pem)},
       tls-server-name: api, proxy-url: "http://u:pw@proxy:3128", extensions: [
         {name: other, extension: 1},
         {name: client.authentication.k8s.io/exec, extension: {audience: a}}]`,
    );
    // Data goes before a file.
    expect(settings).toMatchObject({
      server: { baseUrl: "https://h:443/p/", pathPrefix: "/p/" },
      ca: { kind: "inline" },
      serverName: "api",
      pluginConfig: { audience: "a" },
    });
    expect(JSON.stringify(settings)).not.toContain("pw");
  });

  test.each([
    ["no server", "tls-server-name: a", "invalid_input: the context's cluster has no server"],
    ["plain http", "server: http://h", "invalid_input: the server is not https"],
    ["no scheme", "server: 'h:6443'", "invalid_input: the server is not an absolute https URL"],
    [
      "user info",
      "server: 'https://u@h'",
      "invalid_input: the server is not an absolute https URL",
    ],
    ["a query", "server: 'https://h/?a'", "invalid_input: the server is not an absolute https URL"],
    [
      "a dot segment",
      "server: 'https://h/a/../b'",
      "invalid_input: the server is not an absolute https URL",
    ],
    [
      "a server of another type",
      "server: 1",
      "invalid_input: the cluster's server has the wrong type",
    ],
    [
      "a CA that is not base64",
      "server: https://h, certificate-authority-data: '*'",
      "invalid_input: certificate-authority-data is not base64",
    ],
    [
      "a relative CA in a text without a folder",
      "server: https://h, certificate-authority: ca.crt",
      "invalid_input: certificate-authority is a relative path, and there is no folder to start from",
    ],
    [
      "a CA and no verification",
      "server: https://h, insecure-skip-tls-verify: true, certificate-authority: /ca",
      "invalid_input: the cluster has a CA and insecure-skip-tls-verify",
    ],
    [
      "a switch as text",
      "server: https://h, insecure-skip-tls-verify: 'true'",
      "invalid_input: the cluster's insecure-skip-tls-verify has the wrong type",
    ],
  ])("with %s is refused", async (_what, fields, message) => {
    expect(await cluster(fields)).toBe(message);
  });
});

describe("several files", () => {
  test("merge as kubectl merges: the first to define a name wins wholly", async () => {
    const a = write(
      "a",
      config("token: from-a").replace("current-context: main", "current-context: ''"),
    );
    const b = write(
      "b",
      config("token: from-b, as: eve").replace(
        "contexts: [",
        "contexts: [{name: only-b, context: {cluster: c, user: u}}, ",
      ),
    );
    const outcome = await readKubeconfig({
      paths: [a, join(folder, "nope"), b],
      context: "only-b",
    });
    expect(outcome.ok && outcome.value.user.impersonation).toBeNull();
    expect(outcome.ok && outcome.value.files).toEqual([a, b]);
    // The first current-context that is not empty.
    const current = await readKubeconfig({ paths: [a, b] });
    expect(current.ok && current.value.name).toBe("main");
  });

  test("each starts its relative paths from its own folder", async () => {
    mkdirSync(join(folder, "sub"));
    const user = "client-certificate: pki/c.crt, client-key: ../k.key, tokenFile: token";
    const path = write(
      "sub/config",
      config(user, "server: https://h, certificate-authority: ca.crt"),
    );
    const outcome = await readKubeconfig({ paths: [path] });
    expect(outcome.ok && outcome.value).toMatchObject({
      cluster: { ca: { path: join(folder, "sub/ca.crt") } },
      user: {
        certificate: {
          certificate: { path: join(folder, "sub/pki/c.crt") },
          key: { path: join(folder, "k.key") },
        },
        authorization: { path: join(folder, "sub/token") },
      },
    });
  });

  test("a plugin's command starts from its file's folder only when it has a slash", async () => {
    const exec = "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./bin/p}";
    const path = write("plugin", config(exec));
    const outcome = await readKubeconfig({ paths: [path] });
    expect(outcome.ok && outcome.value.user.authorization).toMatchObject({
      plugin: { command: join(folder, "bin/p") },
    });
  });

  test("an edit is seen by the next read", async () => {
    const path = write("edited", config("token: a"));
    await readKubeconfig({ paths: [path] });
    write("edited", config("token: a", "server: https://elsewhere"));
    const outcome = await readKubeconfig({ paths: [path] });
    expect(outcome.ok && outcome.value.cluster.server.hostname).toBe("elsewhere");
  });

  test.each([
    ["that are all missing", ["nope", "neither"], "unavailable: there is no kubeconfig"],
    ["of which one is a folder", ["."], "invalid_input: the kubeconfig is not a regular file"],
    [
      "of which one is broken",
      ["broken", "fine"],
      "invalid_input: the kubeconfig: contexts has the wrong type",
    ],
  ])("%s are refused", async (_what, names, message) => {
    write("broken", "contexts: 1");
    write("fine", config("token: a"));
    const outcome = await readKubeconfig({ paths: names.map((name) => join(folder, name)) });
    expect(outcome.ok || `${outcome.failure.code}: ${outcome.failure.message}`).toBe(message);
  });

  test("one may have kubeconfigBytesMax bytes and there may be kubeconfigFilesMax of them", async () => {
    const text = config("token: a");
    const pad = (bytes: number): string => text + "#".repeat(bytes - Buffer.byteLength(text));
    const codeOf = async (paths: readonly string[]): Promise<string> => {
      const outcome = await readKubeconfig({ paths });
      return outcome.ok ? "ok" : outcome.failure.code;
    };
    expect(await codeOf([write("full", pad(kubeconfigBytesMax))])).toBe("ok");
    expect(await codeOf([write("full", pad(kubeconfigBytesMax + 1))])).toBe("capacity");
    const fine = write("fine", text);
    const many = Array.from({ length: kubeconfigFilesMax }, () => fine);
    expect(await codeOf(many)).toBe("ok");
    expect(await codeOf([...many, fine])).toBe("capacity");
  });
});

describe("where kubeconfigs are looked for", () => {
  const environment: NodeEnvironment = {
    variables: {},
    homeFolder: "/home/ada",
    workingFolder: "/work",
    terminal: false,
  };

  test("a list is split, made absolute, and has each path once", () => {
    const list = ["a", "", "/etc/b", "a"].join(delimiter);
    expect(splitKubeconfigList(list, environment)).toEqual(["/work/a", "/etc/b"]);
  });

  test("KUBECONFIG goes before the home folder, unless it is empty", () => {
    const withList = (list: string): readonly string[] =>
      defaultKubeconfigPaths({ ...environment, variables: { KUBECONFIG: list } });
    expect(withList("/x")).toEqual(["/x"]);
    expect(withList(delimiter)).toEqual(["/home/ada/.kube/config"]);
    expect(defaultKubeconfigPaths(environment)).toEqual(["/home/ada/.kube/config"]);
  });
});
