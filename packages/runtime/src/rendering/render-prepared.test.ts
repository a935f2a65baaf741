import { isWellFormed } from "@connectors/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePrepared } from "../freeze/prepared-file.js";
import { freeze, openRig, rigPolicy, runRequest, type HostRig } from "../testing/host-rig.js";
import { runDeclaration, scriptedDeclarations } from "../testing/scripted-declarations.js";
import { scriptedPlace } from "../testing/scripted-provider.js";
import { quoteText } from "./printable-text.js";
import { renderPrepared, type ApproverView } from "./render-prepared.js";
import { escapeMark } from "./render-value.js";

const { username: _, ...place } = scriptedPlace;
const view: ApproverView = {
  declarations: scriptedDeclarations,
  clusters: [{ ...place, name: "production" }],
};

async function linesOf(rig: HostRig, members: object = {}): Promise<readonly string[]> {
  const frozen = await freeze(rig, members);
  const rendering = renderPrepared(frozen.preparedBytes, view);
  if (!rendering.ok) throw new Error(rendering.failure.message);
  return rendering.value.lines;
}

describe("what an approver sees", () => {
  test("starts with the cluster and who we are there", async () => {
    const lines = await linesOf(await openRig());
    expect(lines.slice(0, 5)).toEqual([
      'cluster            "production"',
      '  address          "https://127.0.0.1:6443/"',
      '  tls name         "127.0.0.1"',
      `  trust            sha256 ${"a".repeat(64)}`,
      'identity there     "system:serviceaccount:web:changer"',
    ]);
  });

  test("calls a cluster with several names by the one that the write uses", async () => {
    const { preparedBytes } = await freeze(await openRig());
    const file = decodePrepared(preparedBytes);
    const instance = file.ok ? file.value.subject.target.instance : "";
    const clusters = [
      { ...place, name: "another" },
      { ...place, name: instance },
    ];
    const rendering = renderPrepared(preparedBytes, { ...view, clusters });
    expect(rendering.ok && rendering.value.cluster).toBe(instance);
  });

  test("says of a cluster that the approver does not know that it is unknown", async () => {
    const rig = await openRig();
    const { preparedBytes } = await freeze(rig);
    for (const changed of [
      { base_url: "https://127.0.0.1:6443/other" },
      { tls_name: "localhost" },
      { trust_sha256: "b".repeat(64) },
    ]) {
      const clusters = [
        { ...place, ...changed, name: "production" } as ApproverView["clusters"][0],
      ];
      const rendering = renderPrepared(preparedBytes, { ...view, clusters });
      expect(rendering.ok && rendering.value.cluster).toBeNull();
      expect(rendering.ok && rendering.value.lines[0]).toContain("UNKNOWN");
    }
  });

  test("holds every field of the input and of the subject", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const text = (await linesOf(rig)).join("\n");
    const { subject } = frozen;
    const leaves = [
      ...Object.values(subject.target.provider),
      subject.target.operation,
      subject.target.instance,
      subject.target.adapter,
      subject.target.contract,
      subject.target.profile,
      subject.target.connection_revision,
      subject.target.descriptor_revision,
      subject.target.configuration_revision,
      subject.authority.caller,
      subject.authority.policy.id,
      subject.authority.policy.sha256,
      subject.audience,
      subject.format,
      subject.canonicalization,
      subject.input_sha256,
      subject.key_sha256 ?? "",
      frozen.subjectSha256,
      new Date(subject.expires_at_ms).toISOString(),
      ...["web", "api", "blue", "key-1"].map((value) => `"${value}"`),
    ];
    for (const leaf of leaves) expect(text).toContain(leaf);
    expect(text).toContain("Changes one thing.");
    expect(text).toContain("medium");
  });

  test("ends with the digests of the input, then of the subject", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    expect((await linesOf(rig)).slice(-2)).toEqual([
      `input sha256       ${frozen.subject.input_sha256}`,
      `subject sha256     ${frozen.subjectSha256}`,
    ]);
  });

  test("shows a command as one numbered, quoted element a line with its length", async () => {
    const command = ["sh", "-c", 'echo "a b"', "", "é", "a\nb"];
    const input = { ...runRequest.input, command };
    const lines = await linesOf(await openRig(), { ...runRequest, input });
    const at = lines.findIndex((line) => line.startsWith("  command"));
    expect(lines.slice(at, at + 7)).toEqual([
      "  command          6 elements",
      '      1  "sh"  (2 bytes)',
      '      2  "-c"  (2 bytes)',
      '      3  "echo \\"a b\\""  (10 bytes)',
      '      4  ""  (0 bytes)',
      `      5  "\\u{e9}"  (2 bytes)${escapeMark}`,
      `      6  "a\\u{a}b"  (3 bytes)${escapeMark}`,
    ]);
  });

  test("elides nothing of a command as long as one may be", async () => {
    const command = Array.from({ length: 30 }, (_unused, at) => `${at}`.padEnd(100, "x"));
    const input = { ...runRequest.input, command };
    const text = (await linesOf(await openRig(), { ...runRequest, input })).join("\n");
    for (const element of command) expect(text).toContain(`"${element}"  (100 bytes)`);
  });

  test("shows the defaults that the declaration implies, and marks them", async () => {
    const lines = await linesOf(await openRig(), runRequest);
    expect(lines).toContain("  timeout_seconds  10  (default)");
    const input = { ...runRequest.input, timeout_seconds: 5 };
    expect(await linesOf(await openRig(), { ...runRequest, input })).toContain(
      "  timeout_seconds  5",
    );
  });

  test("marks what the declaration does not name, and shows all of it", async () => {
    const input = { namespace: "web", name: "api", to: "blue", extra: { deep: [1, "x"] } };
    const lines = await linesOf(await openRig(), { input });
    const at = lines.findIndex((line) => line.startsWith("  extra"));
    expect(lines.slice(at, at + 4)).toEqual([
      "  extra            1 member  (UNDECLARED)",
      "    deep           2 elements",
      "      1            1",
      '        2  "x"  (1 byte)',
    ]);
  });

  test("is printable ASCII, whatever anybody put into it, and differs when that differs", async () => {
    const rig = await openRig();
    const nasty = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
      fc.constantFrom("\u001b[2J", "\u202eabc", "\u200b", "\u0007", "\\u{1b}", '"', "a\u0301"),
    );
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (one, two) => {
        fc.pre(one !== two && isWellFormed(one) && isWellFormed(two));
        const lines = async (name: string): Promise<string> =>
          (await linesOf(rig, { input: { namespace: "web", name, to: "x" } })).join("\n");
        const [left, right] = [await lines(one), await lines(two)];
        expect(left).toMatch(/^[\n\u0020-\u007e]*$/);
        const shown = (text: string): string => text.replaceAll(/[0-9a-f]{64}/g, "");
        expect(shown(left)).not.toBe(shown(right));
      }),
      { numRuns: 100 },
    );
  });

  test("marks written-out characters, and nothing that only looks like them", () => {
    expect(quoteText("a\u202eb")).toEqual({ text: '"a\\u{202e}b"', escaped: true });
    expect(quoteText("\\u{202e}")).toEqual({ text: '"\\\\u{202e}"', escaped: false });
    expect(quoteText("\u{1f600}").text).toBe('"\\u{1f600}"');
  });

  test("tells a cluster that is not verified, and one that this machine's roots verify", async () => {
    const rig = await openRig();
    for (const [trust, words] of [
      ["unverified", "NONE: the cluster is not verified"],
      ["system", "this machine's roots"],
    ] as const) {
      rig.provider.script.describe = () =>
        Promise.resolve({ ok: true, value: { ...place, trust_sha256: trust as never } });
      expect((await linesOf(rig))[3]).toContain(words);
    }
  });
});

describe("a rendering is refused", () => {
  test("when the operation was frozen with another declaration of it", async () => {
    const { preparedBytes } = await freeze(await openRig(), runRequest);
    const declarations = [{ ...runDeclaration, description: "Harmless." }];
    const rendering = renderPrepared(preparedBytes, { ...view, declarations });
    expect(rendering).toMatchObject({ ok: false, failure: { code: "stale_description" } });
  });

  test("when the operation is not installed, or the file was changed", async () => {
    const { preparedBytes } = await freeze(await openRig());
    expect(renderPrepared(preparedBytes, { ...view, declarations: [] })).toMatchObject({
      ok: false,
      failure: { code: "unsupported" },
    });
    preparedBytes[40] = (preparedBytes[40] ?? 0) ^ 1;
    expect(renderPrepared(preparedBytes, view)).toMatchObject({
      ok: false,
      failure: { code: "invalid_input" },
    });
  });
});

test("the rig's policy is what the lines name", async () => {
  const rig = await openRig();
  await rig.host.policy.set(rigPolicy({ id: "renamed" }));
  expect(await linesOf(rig)).toContain('  policy           "renamed revision 2"');
});
