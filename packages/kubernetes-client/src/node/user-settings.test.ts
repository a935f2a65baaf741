import { describe, expect, test } from "vitest";
import { fixtureCertificates } from "../testing/fixture-certificates.js";
import { readKubeconfig } from "./kubeconfig.js";

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

async function userOf(user: string): Promise<unknown> {
  const outcome = await readKubeconfig({ text: config(user) });
  if (!outcome.ok) return `${outcome.failure.code}: ${outcome.failure.message}`;
  const { authorization } = outcome.value.user;
  return authorization.kind === "token" ? authorization.token.reveal() : authorization;
}

describe("a user", () => {
  test("has a token, and its file goes before it", async () => {
    expect(await userOf("token: t0ken")).toBe("t0ken");
    expect(await userOf("token: t0ken, tokenFile: /run/token")).toEqual({
      kind: "token_file",
      path: "/run/token",
    });
  });

  test("may have a password, and an explicit token goes before a plugin", async () => {
    expect(await userOf("username: ada, password: pw")).toMatchObject({
      kind: "basic",
      username: "ada",
    });
    const exec = "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: p}";
    expect(await userOf(`token: t0ken, ${exec}`)).toBe("t0ken");
  });

  test("may act as another", async () => {
    const acts =
      "as: bob, as-uid: u1, as-groups: [g1, g2], as-user-extra: {scopes: [a, b], none: []}";
    expect(await read(config(`token: a, ${acts}`))).toMatchObject({
      user: {
        impersonation: {
          username: "bob",
          uid: "u1",
          groups: ["g1", "g2"],
          extra: [["scopes", ["a", "b"]]],
        },
      },
    });
  });

  test.each([
    ["a token of another type", "token: 12", "the user's token has the wrong type"],
    [
      "a token and a password",
      "token: a, username: b",
      "the user has a token and a password: only one is allowed",
    ],
    [
      "a certificate without its key",
      "client-certificate: /c",
      "the user has a client certificate without its key, or a key alone",
    ],
    [
      "a key alone",
      "client-key-data: YQ==",
      "the user has a client certificate without its key, or a key alone",
    ],
    [
      "groups without a name",
      "as-groups: [g]",
      "the user acts with a uid, groups or extras and without a name (as)",
    ],
    [
      "a certificate and a plugin",
      "client-certificate: /c, client-key: /k, exec: {apiVersion: client.authentication.k8s.io/v1, command: p, interactiveMode: Never}",
      "the user has a client certificate and an exec plugin",
    ],
    [
      "extras of another type",
      'as: a, as-user-extra: {"\\e[0m": 1}',
      "the user's as-user-extra.? has the wrong type",
    ],
  ])("with %s is refused", async (_what, user, message) => {
    expect(await userOf(user)).toBe(`invalid_input: ${message}`);
  });

  test("with an auth-provider is unsupported, with a hint at plugins", async () => {
    const outcome = await readKubeconfig({ text: config("auth-provider: {name: gcp}") });
    expect(outcome.ok || outcome.failure).toMatchObject({
      code: "unsupported",
      hint: expect.stringContaining("exec plugin"),
    });
  });

  test("never prints its secrets", async () => {
    const { pem, key } = fixtureCertificates.one;
    const pair = `client-certificate-data: ${base64(pem)}, client-key-data: ${base64(key)}`;
    for (const user of [`token: s3cret, ${pair}`, "username: a, password: s3cret"]) {
      const printed = JSON.stringify(await read(config(user))) + String(await read(config(user)));
      expect(printed).not.toMatch(/s3cret|PRIVATE KEY|MIG/);
    }
  });
});

describe("an exec plugin", () => {
  const exec = async (fields: string): Promise<unknown> => userOf(`exec: {${fields}}`);

  test("is read with its arguments and variables, and null lists are empty", async () => {
    const v1 = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable";
    expect(
      await exec(`${v1}, command: aws, args: [eks, get-token], env: [{name: A, value: b}]`),
    ).toEqual({
      kind: "exec",
      plugin: {
        version: "client.authentication.k8s.io/v1",
        command: "aws",
        arguments: ["eks", "get-token"],
        variables: [["A", "b"]],
        provideClusterInfo: false,
        interactiveMode: "IfAvailable",
        installHint: null,
      },
    });
    expect(await exec(`${v1}, command: aws, args: null, env: null`)).toMatchObject({
      plugin: { arguments: [], variables: [] },
    });
  });

  test("of v1beta1 may leave interactiveMode out, and one of v1 may not", async () => {
    const beta = "apiVersion: client.authentication.k8s.io/v1beta1, command: p";
    expect(await exec(beta)).toMatchObject({ plugin: { interactiveMode: "IfAvailable" } });
    expect(await exec(beta.replace("v1beta1", "v1"))).toBe(
      "invalid_input: the exec plugin needs interactiveMode Never, IfAvailable or Always",
    );
  });

  const never = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never";
  test.each([
    [
      "another version",
      "apiVersion: client.authentication.k8s.io/v1alpha1, command: p",
      "unsupported: the exec plugin's apiVersion is not v1 or v1beta1",
    ],
    ["no command", never, "invalid_input: the exec plugin has no usable command"],
    [
      "a NUL in an argument",
      `${never}, command: p, args: ["a\\0b"]`,
      "invalid_input: the exec plugin has no usable command",
    ],
    [
      "a variable without a name",
      `${never}, command: p, env: [{value: a}]`,
      "invalid_input: the exec plugin's env has an entry without a usable name",
    ],
    [
      "a relative command in a text without a folder",
      `${never}, command: ./p`,
      "invalid_input: the exec plugin's command is relative, and there is no folder",
    ],
    [
      "arguments of another type",
      `${never}, command: p, args: [1]`,
      "invalid_input: the user's exec.args has the wrong type",
    ],
  ])("with %s is refused", async (_what, fields, message) => {
    expect(await exec(fields)).toBe(message);
  });
});
