import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fail, succeed, type AuthenticatedHttp, type Outcome } from "./index.js";

// README
/** The name of the cluster's version, or why it is not known. */
export async function readVersion(
  http: AuthenticatedHttp,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const target = { segments: ["version"] };
  const answer = await http.get(target, { accept: "application/json", signal });
  if (!answer.ok) return answer;
  if (answer.value.status !== 200) return fail("unavailable", "The version cannot be read now.");
  const text = new TextDecoder().decode(answer.value.body);
  const version = /"gitVersion":\s*"(v[0-9a-z.+-]{1,60})"/.exec(text)?.[1];
  return version === undefined
    ? fail("upstream_protocol", "The answer names no version.")
    : succeed(version);
}
// end

function exampleText(): string {
  const source = readFileSync(new URL(import.meta.url), "utf8");
  return /\n\/\/ README\n(.*?)\n\/\/ end\n/s.exec(source)?.[1] ?? "";
}

function answering(text: string): AuthenticatedHttp {
  const body = new TextEncoder().encode(text);
  const refused = fail("unsupported", "Only whole answers here.");
  return {
    get: () => Promise.resolve(succeed({ status: 200, headers: new Map(), body })),
    getPrefix: () => Promise.resolve(refused),
    getStream: () => Promise.resolve(refused),
  };
}

test("the example of the README is this one, and runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(exampleText()).not.toBe("");
  expect(readme).toContain(exampleText());
  const { signal } = new AbortController();
  const version = await readVersion(answering('{"gitVersion": "v1.35.4"}'), signal);
  expect(version).toEqual({ ok: true, value: "v1.35.4" });
  const nothing = await readVersion(answering("{}"), signal);
  expect(nothing).toMatchObject({ ok: false, failure: { code: "upstream_protocol" } });
});
