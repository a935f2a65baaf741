import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOutputs } from "../reconcile/output-tree.js";
import { fixturePath } from "../testing/golden.js";
import { runCommand } from "./run-command.js";

const gen = "packages/domain/src/gen";
let root: string;
let printed: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ess-command-"));
  cpSync(fixturePath("ferry"), root, { recursive: true });
  printed = "";
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("ess generate", () => {
  test("writes everything once and nothing the second time", async () => {
    expect(await ess("generate")).toBe(0);
    expect(printed).toBe("22 files written, 0 removed, of 22\n");
    expect(await ess("generate")).toBe(0);
    expect(printed).toBe("21 files are up to date\n");
  });

  test("writes the golden bytes in any time zone, locale and folder", () => {
    const cwd = join(root, "deep/er");
    mkdirSync(cwd, { recursive: true });
    const env = {
      ...process.env,
      TZ: "Asia/Kathmandu",
      LANG: "tr_TR.UTF-8",
      LC_ALL: "tr_TR.UTF-8",
    };
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const tsx = import.meta.resolve("tsx");
    execFileSync(process.execPath, ["--import", tsx, main, "generate"], { cwd, env });
    for (const [path, text] of readOutputs(root, [gen, "docs/reference"])) {
      if (path.endsWith("manifest.json")) continue;
      expect(text).toBe(readFileSync(fixturePath("golden", `${path}.golden`), "utf8"));
    }
  });

  test("removes what it makes no more and leaves foreign files alone", async () => {
    await ess("generate");
    const old = readFileSync(join(root, gen, "desk.ts"), "utf8");
    writeFileSync(join(root, gen, "old.ts"), old);
    writeFileSync(join(root, gen, "mine.ts"), "export {};\n");
    expect(await ess("generate")).toBe(3);
    expect(printed).toContain("0 files written, 1 removed");
    expect(printed).toContain(`foreign    ${gen}/mine.ts`);
    expect(existsSync(join(root, gen, "old.ts"))).toBe(false);
    expect(existsSync(join(root, gen, "mine.ts"))).toBe(true);
  });

  test("writes nothing when the models are wrong", async () => {
    appendFileSync(join(root, "ess/domains/desk.yaml"), "typos: {}\n");
    expect(await ess("generate")).toBe(1);
    expect(printed).toContain("ESS-SHAPE-001");
    expect(existsSync(join(root, gen))).toBe(false);
  });
});

describe("ess generate --check", () => {
  beforeEach(async () => {
    await ess("generate");
  });

  test("names what is missing, different, orphaned and foreign, and writes nothing", async () => {
    const types = readFileSync(join(root, gen, "desk.ts"), "utf8");
    writeFileSync(join(root, gen, "desk.ts"), types.replace("Who wants aboard.", "Who is it?"));
    writeFileSync(join(root, gen, "old.ts"), types);
    writeFileSync(join(root, "docs/reference/mine.md"), "# Mine\n");
    rmSync(join(root, gen, "scalars.ts"));
    expect(await ess("generate", "--check")).toBe(3);
    const line = types.split("\n").findIndex((text) => text.includes("Who wants aboard.")) + 1;
    expect(printed).toBe(
      [
        "foreign   docs/reference/mine.md",
        `different ${gen}/desk.ts:${line}`,
        "  there:     /** Who is it? */",
        "  generated: /** Who wants aboard. */",
        `orphan    ${gen}/old.ts`,
        `missing   ${gen}/scalars.ts`,
        "",
      ].join("\n"),
    );
    expect(existsSync(join(root, gen, "scalars.ts"))).toBe(false);
  });

  test("sees a changed model, a changed manifest and a vanished heading", async () => {
    const manifest = readFileSync(join(root, gen, "manifest.json"), "utf8");
    writeFileSync(join(root, gen, "manifest.json"), manifest.replace(/"[0-9a-f]{64}"/, '"0"'));
    expect(await ess("generate", "--check")).toBe(3);
    expect(printed).toContain(`different ${gen}/manifest.json:3`);
    writeFileSync(join(root, gen, "manifest.json"), manifest);
    expect(await ess("generate", "--check")).toBe(0);
    appendFileSync(join(root, "ess/domains/desk.yaml"), "# A remark.\n");
    expect(await ess("generate", "--check")).toBe(3);
    await ess("generate");
    writeFileSync(join(root, "docs/ferry.md"), "# The ferry\n");
    expect(await ess("generate", "--check")).toBe(1);
    expect(printed).toContain("ESS-OWNER-002");
  });

  test("parses nothing when nothing changed", async () => {
    expect(await ess("generate", "--check", "--timings")).toBe(0);
    expect(printed).toContain("compare");
    expect(printed).not.toContain("cst");
  });
});

describe("the command line", () => {
  test("reports problems as text with a count, or as JSON", async () => {
    appendFileSync(join(root, "ess/domains/desk.yaml"), "typos: {}\n");
    expect(await ess("check")).toBe(1);
    expect(printed).toMatch(/desk\.yaml:\d+:1: error ESS-SHAPE-001: .*\n(.*\n)+1 problem\n$/);
    expect(await ess("check", "--format", "json")).toBe(1);
    expect(JSON.parse(printed)).toMatchObject({
      format: "ess-diagnostics/1",
      diagnostics: [{ code: "ESS-SHAPE-001", help: "did you mean 'types'?" }],
    });
  });

  test("is silent about sound models", async () => {
    expect(await ess("check")).toBe(0);
    expect(printed).toBe("");
    expect(await ess("check", "--format", "json")).toBe(0);
    expect(JSON.parse(printed)).toEqual({ format: "ess-diagnostics/1", diagnostics: [] });
  });

  test("explains a code, lists all codes, and knows none that are not there", async () => {
    expect(await ess("explain", "ESS-TYPE-001")).toBe(0);
    expect(printed).toContain("unknown type");
    expect(await ess("explain")).toBe(0);
    expect(printed.split("\n").length).toBeGreaterThan(50);
    expect(await ess("explain", "ESS-TYPE-01")).toBe(2);
    expect(printed).toContain("did you mean 'ESS-TYPE-001'?");
  });

  test.each([
    [["compile"], "unknown command 'compile'"],
    [["check", "--check"], "unknown option '--check'"],
    [["check", "--format", "xml"], "--format is text or json, not 'xml'"],
    [["check", "--root"], "--root needs a value"],
    [["check", "--root", "/"], "there is no ess/system.yaml here or above"],
  ])("answers 2 to %j", async (argv, problem) => {
    expect(await ess(...argv)).toBe(2);
    expect(printed).toContain(problem);
  });

  test("prints its help", async () => {
    expect(await ess("--help")).toBe(0);
    expect(printed).toContain("ess generate --check");
  });
});

async function ess(...argv: readonly string[]): Promise<number> {
  printed = "";
  return runCommand(argv, host());
}

function host() {
  const print = (text: string) => {
    printed += `${text}\n`;
  };
  return { cwd: root, out: print, err: print, nowMs: () => 0 };
}
