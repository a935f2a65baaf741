import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, openCommandRig, type CommandRig } from "../testing/command-rig.js";

let rig: CommandRig;
let before = 0;

beforeAll(async () => {
  rig = await openCommandRig();
  before = rig.requests();
});
afterAll(() => rig.close());

const json = ["-o", "json"];
const write = [
  "write",
  "dev/deployment.rollout_restart",
  "namespace=web",
  "name=api",
  "uid=u",
  "resource_version=1",
];
const isRoot = process.getuid?.() === 0;

let copies = 0;

/** A copy of the rig's state directory, with something wrong about it. */
function copyState(spoil: (state: string) => void): string {
  copies += 1;
  const state = rig.file(`copy-${copies}`);
  cpSync(rig.state, state, { recursive: true });
  // From Node 22 on a copied folder has the mode that any new one has.
  for (const folder of ["", "adapters", "keys", "owners"]) {
    const path = join(state, folder);
    if (existsSync(path)) chmodSync(path, 0o700);
  }
  spoil(state);
  return state;
}

async function refuses(state: string, args: readonly string[], code: string, says: RegExp) {
  const ended = await rig.runHere([...args, "--state", state, ...json]);
  const failure = failureOf(ended);
  expect(failure).toMatchObject({ code, effect: "none" });
  expect(failure.message).toMatch(says);
  expect(failure.hint).not.toBe("");
  expect(ended.code).toBe(1);
  expect(rig.requests()).toBe(before);
}

describe("what `init` makes", () => {
  test("is this user's alone, whatever the umask, and stays as it is the second time", async () => {
    const state = rig.file("fresh/deep/state");
    const shell = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh"];
    const first = await rig.run(["init", "--state", state, ...json], { before: shell });
    expect(first.code).toBe(0);
    const modes = readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => {
      const seen = lstatSync(join(state, name));
      return seen.mode & 0o077;
    });
    expect(modes.every((mode) => mode === 0)).toBe(true);
    const host = readFileSync(join(state, "host.json"));
    const second = await rig.run(["init", "--state", state, ...json]);
    expect(JSON.parse(second.stdout)).toMatchObject({ key: "kept", separation: "none" });
    expect(readFileSync(join(state, "host.json"))).toEqual(host);
  });

  test("lies where the flag, the environment, XDG or the home say, in this order", async () => {
    const place = async (args: readonly string[], environment: Record<string, string>) => {
      const { stdout } = await rig.run(["init", ...args, ...json], { environment });
      return (JSON.parse(stdout) as { state: string }).state;
    };
    const [a, b, c] = [rig.file("a"), rig.file("b"), rig.file("c")];
    const all = { CONNECTORS_STATE: b, XDG_STATE_HOME: c };
    expect(await place(["--state", a], all)).toBe(a);
    expect(await place([], all)).toBe(b);
    expect(await place([], { CONNECTORS_STATE: "", XDG_STATE_HOME: c })).toBe(
      join(c, "connectors"),
    );
  });
});

describe("a state directory that is not sound is refused, with no request", () => {
  test("one that others can read", async () => {
    for (const mode of [0o750, 0o705, 0o710, 0o701]) {
      const state = copyState((path) => chmodSync(path, mode));
      await refuses(state, write, "forbidden", /open to others/);
    }
  });

  test("one that is a link, or a file", async () => {
    const link = rig.file("link");
    symlinkSync(rig.state, link);
    await refuses(link, write, "invalid_input", /folder of its own/);
    await refuses(rig.write("plain", ""), write, "invalid_input", /folder of its own/);
  });

  test("one that was never initialised, or is not there", async () => {
    await refuses(rig.file("nowhere"), write, "not_found", /does not exist/);
    const empty = copyState((path) => rmSync(join(path, "host.json")));
    await refuses(empty, write, "not_found", /never initialised/);
  });

  test("files in it that others can read, or that are links", async () => {
    for (const [name, code] of [
      ["host.json", "forbidden"],
      ["adapters/dev.json", "forbidden"],
      ["ledger.db", "unavailable"],
    ] as const) {
      const wide = copyState((path) => chmodSync(join(path, name), 0o644));
      await refuses(wide, write, code, /open to others|others/);
      const linked = copyState((path) => {
        cpSync(join(path, name), join(path, "elsewhere"));
        rmSync(join(path, name));
        symlinkSync(join(path, "elsewhere"), join(path, name));
      });
      const ended = await rig.runHere([...write, "--state", linked, ...json]);
      expect(["invalid_input", "forbidden", "unavailable"]).toContain(failureOf(ended).code);
      expect(ended.code).toBe(1);
    }
    expect(rig.requests()).toBe(before);
  });

  test("a host.json or an adapter's file that is not what was written", async () => {
    for (const text of ["{}", "", "{", '{"format":"connectors.host/2"}']) {
      const host = copyState((path) => writeFileSync(join(path, "host.json"), text));
      await refuses(host, write, "unavailable", /host\.json/);
      const adapter = copyState((path) => writeFileSync(join(path, "adapters/dev.json"), text));
      await refuses(adapter, write, "unavailable", /adapters\/dev\.json/);
    }
    const renamed = copyState((path) => {
      cpSync(join(path, "adapters/dev.json"), join(path, "adapters/prod.json"));
    });
    const other = ["write", "prod/deployment.rollout_restart", ...write.slice(2)];
    await refuses(renamed, other, "unavailable", /prod\.json/);
  });

  test.each<[string, (ledger: string) => void]>([
    ["other bytes", (ledger) => writeFileSync(ledger, "not a database at all, but long enough ")],
    ["nothing", (ledger) => truncateSync(ledger, 0)],
    ["half of its pages", (ledger) => truncateSync(ledger, 8192)],
    [
      "its middle overwritten",
      (ledger) => {
        const bytes = readFileSync(ledger);
        writeFileSync(ledger, bytes.fill(0x5a, 4096, 4096 * 4));
      },
    ],
  ])("a ledger that holds %s", async (_, spoil) => {
    const state = copyState((path) => {
      for (const name of ["ledger.db-wal", "ledger.db-shm"]) {
        rmSync(join(path, name), { force: true });
      }
      spoil(join(path, "ledger.db"));
    });
    const ended = await rig.runHere([...write, "--state", state, ...json]);
    expect(failureOf(ended)).toMatchObject({ code: "unavailable", effect: "none" });
    expect(ended.code).toBe(1);
    const doctor = await rig.run(["doctor", "--state", state]);
    expect(doctor.stdout).toMatch(/FAIL state:.*\n {5}next: ./);
    expect(doctor.code).toBe(1);
    expect(rig.requests()).toBe(before);
  });

  test("a broken adapter does not hide the rest from `doctor`", async () => {
    const state = copyState((path) => writeFileSync(join(path, "adapters/dev.json"), "{"));
    const doctor = await rig.run(["doctor", "--state", state]);
    expect(doctor.stdout).toContain("ok   store:");
    expect(doctor.stdout).toContain("FAIL adapter dev:");
    expect(doctor.code).toBe(1);
  });
});

describe("what the machine lacks", () => {
  test.runIf(isRoot)("a directory of another user is refused", async () => {
    const state = copyState((path) => spawnSync("chown", ["-R", "65534", path]));
    await refuses(state, write, "forbidden", /another user/);
  });

  test.runIf(isRoot)("a user without a name may look at help and nothing else", async () => {
    const as = ["setpriv", "--reuid", "54321", "--clear-groups"];
    const readable = spawnSync(as[0] ?? "", [...as.slice(1), process.execPath, "-e", "0"]);
    if (readable.status !== 0) return;
    const help = await rig.run(["--help"], { before: as, cwd: "/" });
    if (help.code !== 0 && help.stderr.includes("EACCES")) return;
    expect(help.code).toBe(0);
    const init = await rig.run(["init", "--state", "/tmp/nobody", ...json], {
      before: as,
      cwd: "/",
    });
    expect(failureOf(init)).toMatchObject({ code: "forbidden" });
    expect(failureOf(init).message).toContain("no name in the user database");
    expect(existsSync("/tmp/nobody")).toBe(false);
  });

  const space = ["unshare", "--user", "--map-root-user", "--mount"];
  const canMount = spawnSync(space[0] ?? "", [...space.slice(1), "true"]).status === 0;

  test.runIf(canMount)("a full disk refuses a write before anything is sent", async () => {
    const folder = mkdtempSync(join(tmpdir(), "connectors-full-"));
    const script = [
      'mount -t tmpfs -o size=2m,mode=700 tmpfs "$1"',
      'cp -a "$2" "$1/state"',
      'dd if=/dev/zero of="$1/filler" bs=4k 2>/dev/null',
      'shift 2; exec "$@"',
    ].join(" && ");
    // dd ends with an error when the disk is full, which is what it is for.
    const shell = ["/bin/sh", "-c", script.replace("2>/dev/null &&", "2>/dev/null;"), "sh"];
    const full = [...space, ...shell, folder, rig.state];
    const ended = await rig.run([...write, "--state", join(folder, "state"), ...json], {
      before: full,
    });
    expect(failureOf(ended).effect).toBe("none");
    expect(["unavailable", "capacity"]).toContain(failureOf(ended).code);
    expect(ended.code).toBe(1);
    const init = await rig.run(["init", "--state", join(folder, "new"), ...json], { before: full });
    expect(failureOf(init)).toMatchObject({ effect: "none" });
    expect(init.code).toBe(1);
    expect(rig.requests()).toBe(before);
    rmSync(folder, { recursive: true, force: true });
  });
});
