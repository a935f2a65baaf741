import { existsSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  runOnTerminal,
  terminalAvailable,
  type Typed,
} from "../../../../testing/terminal/terminal.js";
import { openCommandRig, restartNow, type CommandRig } from "../testing/command-rig.js";
import { connectorsPath } from "../testing/run-command.js";

let rig: CommandRig;
let runs = 0;

beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig.close());

const question = /Approve this effect\? \[y\/N\] $/;
const yes: readonly Typed[] = [{ after: question, keys: "y\n" }];
const stale = [
  "dev/deployment.rollout_restart",
  "--input",
  JSON.stringify({ namespace: "web", name: "api", uid: "u", resource_version: "1" }),
];

interface Screen {
  readonly code: number | null;
  readonly screen: string;
  readonly stdout: string;
}

/** Runs the command on a terminal; stdout goes to a file when `stdout` is asked for. */
async function onTerminal(
  args: readonly string[],
  typed: readonly Typed[] = [],
  how: { readonly stdout?: boolean; readonly environment?: Record<string, string> } = {},
): Promise<Screen> {
  runs += 1;
  const file = rig.file(`stdout-${runs}`);
  const { code, screen } = await runOnTerminal({
    argv: [process.execPath, connectorsPath, ...args],
    typed,
    environment: { CONNECTORS_STATE: rig.state, NO_COLOR: "1", ...how.environment },
    ...(how.stdout === true ? { stdoutFile: file } : {}),
    timeoutMs: 60_000,
  });
  const stdout = existsSync(file) ? readFileSync(file, "utf8") : "";
  return { code, screen: screen.replaceAll("\r\n", "\n"), stdout };
}

/** Whatever a terminal would act on: controls but newline and tab, bidi marks, invisible characters. */
const raw = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe.runIf(terminalAvailable)("approve", { concurrent: true }, () => {
  test("shows every byte of what would be done, asks once, and writes a proof that is taken", async () => {
    const file = await rig.prepare("approve.json", restartNow);
    const { code, screen, stdout } = await onTerminal(["approve", file], yes, { stdout: true });
    expect(code).toBe(0);
    expect(stdout).toBe(`${file}.proof\n`);
    const { subject, subject_sha256: digest } = JSON.parse(readFileSync(file, "utf8")) as {
      subject: { target: { provider: { base_url: string } }; input_sha256: string };
      subject_sha256: string;
    };
    const shown = screen.slice(0, screen.search(/Approve this effect/));
    expect(shown).toContain('cluster            "dev"');
    expect(shown).toContain(subject.target.provider.base_url);
    expect(shown).toContain(subject.input_sha256);
    expect(shown.trimEnd().endsWith(digest)).toBe(true);
    expect(statSync(`${file}.proof`).mode & 0o777).toBe(0o600);
    const write = ["write", "--prepared", file, "--proof", `${file}.proof`];
    expect((await rig.run(write)).code).toBe(0);
  });

  test.each([
    ["n", "n\n"],
    ["nothing", "\n"],
    ["Y", "Y\n"],
    ["yes please", "yes please\n"],
    ["the end of input", "\u0004"],
  ])("%s is a denial, with 1 and no proof", async (what, keys) => {
    const file = await rig.prepare(`denied ${what}.json`, stale);
    const { code, screen } = await onTerminal(["approve", file], [{ after: question, keys }]);
    expect(screen).toContain("approval_refused: The approver said no. (denied)");
    expect(code).toBe(1);
    expect(existsSync(`${file}.proof`)).toBe(false);
  });

  test("what was typed before the question is thrown away, and Ctrl-C at it ends with 130", async () => {
    const file = await rig.prepare("typed-ahead.json", stale);
    const { code, screen } = await onTerminal(
      ["approve", file],
      [
        { after: /This is exactly what would be done/, keys: "y\ny" },
        { after: question, keys: "\u0003" },
      ],
    );
    expect(code).toBe(130);
    expect(screen).toContain("interrupted: ");
    expect(existsSync(`${file}.proof`)).toBe(false);
  });

  test("never overwrites a proof, and says so before it asks", async () => {
    const file = await rig.prepare("twice.json", stale);
    await rig.approve(file);
    const before = readFileSync(`${file}.proof`, "utf8");
    const { code, screen } = await onTerminal(["approve", file]);
    expect(screen).toContain("lifecycle_conflict");
    expect(screen).not.toContain("[y/N]");
    expect(code).toBe(1);
    expect(readFileSync(`${file}.proof`, "utf8")).toBe(before);
  });

  test("asks nobody about a cluster that this state directory does not know", async () => {
    const file = await rig.prepare("unknown.json", stale);
    const state = rig.file("elsewhere");
    await rig.run(["init", "--state", state]);
    const refused = await onTerminal(["approve", file, "--state", state]);
    expect(refused.screen).toContain("approve with --accept-cluster");
    expect(refused.code).toBe(1);
    const asked = await onTerminal(["approve", file, "--state", state, "--accept-cluster"], yes);
    expect(asked.screen).toContain("UNKNOWN to you");
    expect(asked.code).toBe(0);
  });

  test("without a terminal asks nobody", async () => {
    const file = await rig.prepare("no-terminal.json", stale);
    const ended = await rig.run(["approve", file]);
    expect(ended.stderr).toContain("approval_required: an approval needs a terminal");
    expect(ended.code).toBe(1);
  });
});

describe.runIf(terminalAvailable)("a key with a passphrase", { concurrent: true }, () => {
  const secret = "correct horse battery";
  const state = (): string => rig.file("passphrase");

  test("is asked for twice at `init`, hidden, and is opened after the yes", async () => {
    const made = await onTerminal(
      ["init", "--passphrase", "--state", state()],
      [
        { after: /New passphrase: $/, keys: `${secret}\n` },
        { after: /Again: $/, keys: `${secret}\n` },
      ],
    );
    expect(made.code).toBe(0);
    expect(made.screen).not.toContain(secret);
    const file = await rig.prepare("passphrase.json", stale);
    const approve = ["approve", file, "--accept-cluster", "--state", state()];
    const wrong = await onTerminal(approve, [
      ...yes,
      { after: /Passphrase of the approval key: $/, keys: "wrong\n" },
    ]);
    expect(wrong.screen).toContain("unauthorized: ");
    expect(wrong.code).toBe(1);
    const stopped = await onTerminal(approve, [
      ...yes,
      { after: /Passphrase of the approval key: $/, keys: "\u0003" },
    ]);
    expect(stopped.code).toBe(130);
    const right = await onTerminal(approve, [
      ...yes,
      { after: /Passphrase of the approval key: $/, keys: `${secret}x\u007f\n` },
    ]);
    expect(right.code).toBe(0);
    expect(right.screen.indexOf("[y/N]")).toBeLessThan(right.screen.indexOf("Passphrase of"));
    expect(right.screen).not.toContain(secret);
  });

  test("that is short, or typed otherwise the second time, makes no key", async () => {
    const short = await onTerminal(
      ["init", "--passphrase", "--state", rig.file("short")],
      [{ after: /New passphrase: $/, keys: "1234567\n" }],
    );
    expect(short.screen).toContain("at least 8 characters");
    expect(short.code).toBe(1);
    const other = await onTerminal(
      ["init", "--passphrase", "--state", rig.file("other")],
      [
        { after: /New passphrase: $/, keys: `${secret}\n` },
        { after: /Again: $/, keys: `${secret}!\n` },
      ],
    );
    expect(other.screen).toContain("the two passphrases differ");
    expect(other.code).toBe(1);
    expect(existsSync(rig.file("other/keys"))).toBe(false);
  });
});

describe.runIf(terminalAvailable)("write on a terminal", () => {
  test("asks once after the whole of it, sends, and says what is known", async () => {
    const { code, screen, stdout } = await onTerminal(["write", ...restartNow], yes, {
      stdout: true,
    });
    expect(code).toBe(0);
    expect(screen.match(/\[y\/N\]/g)).toHaveLength(1);
    expect(stdout).toMatch(/^applied: deployment web\/api restarted at \d+ → \d+\n$/);
  });

  test("shows an argument of many columns whole, one numbered element a line", async () => {
    const long = "x".repeat(3000);
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const { screen, code } = await onTerminal(
      ["write", ...where, "--", "echo", long, "-n", "--help"],
      [{ after: question, keys: "n\n" }],
    );
    expect(screen).toContain(`"${long}"  (3000 bytes)`);
    expect(screen).toMatch(/ 3 {2}"-n" {2}\(2 bytes\)\n/);
    expect(screen).not.toContain("…");
    expect(code).toBe(1);
  });

  test("nothing of a command or of what a container prints reaches it raw, unless that is asked for", async () => {
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const nasty = "\u001b]0;pwned\u0007\u001b[2J\u202egnp\u200b\u009b31m\ufeff\u2066";
    const line = ["write", ...where, "--", "echo", nasty];
    const shown = await onTerminal(line, yes);
    expect(shown.code).toBe(0);
    expect(shown.screen).toContain("\\u{1b}]0;pwned\\u{7}");
    expect(shown.screen).toContain("\\u{202e}gnp\\u{200b}");
    expect(shown.screen.replaceAll("\r", "")).not.toMatch(raw);
    const asJson = await onTerminal([...line.slice(0, -3), "-o", "json", ...line.slice(-3)], yes);
    expect(asJson.screen.replaceAll("\r", "")).not.toMatch(raw);
    expect(asJson.screen).toContain("\\u202e");
    const rawly = await onTerminal([...line.slice(0, -3), "--raw", ...line.slice(-3)], yes);
    expect(rawly.screen.slice(rawly.screen.search(question.source.slice(0, 8)))).toContain(nasty);
    const piped = await onTerminal(line, yes, { stdout: true });
    expect(piped.stdout).toBe(`${nasty}\n`);
    expect(piped.screen.replaceAll("\r", "")).not.toMatch(raw);
  });

  test("nothing of a name, a file or a flag reaches it raw", async () => {
    const nasty = "\u001b[31m\u202e\u200b";
    for (const args of [
      ["write", `dev/${nasty}`],
      ["write", "dev/pods.exec", `pod=${nasty}`],
      ["write", "dev/pods.exec", `${nasty}=x`],
      ["read", `${nasty}/deployments.get`],
      ["approve", nasty],
      ["adapters", "show", nasty],
      ["attempts", "annotate", "01890a5d-ac96-774b-bcce-b302099a8057", nasty],
      ["init", "--state", rig.file(`state ${nasty}`)],
      ["doctor", "--state", rig.file(`state ${nasty}`)],
      ["prepare", ...stale, "--key", nasty],
      ["prepare", ...stale, "--key", nasty, "-o", "json"],
    ]) {
      const { screen } = await onTerminal(args);
      expect(screen.replaceAll("\r", ""), args.join(" ")).not.toMatch(raw);
      expect(screen.length).toBeGreaterThan(20);
    }
  });

  test("colours are for terminals that want them", async () => {
    const coloured = await onTerminal(["write"], [], { environment: { NO_COLOR: "" } });
    expect(coloured.screen).toContain("\u001b[31minvalid_input\u001b[39m");
    for (const environment of [{ NO_COLOR: "1" }, { NO_COLOR: "", TERM: "dumb" }]) {
      expect((await onTerminal(["write"], [], { environment })).screen).not.toContain("\u001b");
    }
    const piped = await rig.run(["write"], { environment: { FORCE_COLOR: "1", CI: "true" } });
    expect(piped.stderr).not.toContain("\u001b");
  });

  test("work of more than a second says what is waited for, and -q says nothing", async () => {
    const slow = { match: { method: "GET" }, fault: { kind: "delay", ms: 1500 } } as const;
    const read = ["read", "dev/deployments.get", "namespace=web", "name=api"];
    rig.simulator.faults.use([slow]);
    expect((await onTerminal(read)).screen).toContain("… asking dev\n");
    rig.simulator.faults.use([slow]);
    expect((await onTerminal([...read, "-q"])).screen).not.toContain("…");
    rig.simulator.faults.use([]);
    expect((await rig.run([...read, "-v"])).stderr).toContain("… asking dev\n");
  });
});
