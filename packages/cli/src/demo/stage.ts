import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationDeclarations } from "@connectors/domain";
import { defaultSeed, openSimulator, type Simulator } from "@connectors/kubernetes-simulator";
import {
  makeKeyApprover,
  openPrivateKey,
  parsePrivateKeyBytes,
  renderPrepared,
  type OpenedKey,
} from "@connectors/runtime";
import type { Outcome } from "@connectors/sdk";
import { listCustodyKids } from "../state/file-custody.js";
import { listKnownClusters } from "../terminal/terminal-approver.js";
import type { World } from "../world/world.js";

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command on its way. */
export interface Running {
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/** The demo's cluster, its own state directory, and the command itself as a user runs it. */
export interface Stage {
  readonly simulator: Simulator;
  /** A path in the demo's folder. */
  file(name: string): string;
  start(args: readonly string[]): Running;
  run(args: readonly string[]): Promise<Ended>;
  /** What an approver is shown of a prepared file. */
  render(name: string): Promise<readonly string[]>;
  /** Approves a prepared file with the demo's own key; the proof lies beside it. */
  approve(name: string): Promise<void>;
  close(): Promise<void>;
}

// One command's output: what the demo's own commands print is far below it.
const outputBytesMax = 4 * 1024 * 1024;

/** The value, or an error that ends the demo: nothing of it is expected to fail. */
export function mustBe<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

function startCommand(state: string, folder: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
    cwd: folder,
    env: { ...process.env, CONNECTORS_STATE: state, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < outputBytesMax) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < outputBytesMax) stderr += text;
  });
  const ended = new Promise<Ended>((done, broken) => {
    child.on("error", broken);
    child.on("close", (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { ended, kill: (signal) => void child.kill(signal) };
}

async function openDemoKey(state: string): Promise<OpenedKey> {
  const [kid] = await listCustodyKids(state);
  if (kid === undefined) throw new Error("the demo made no key");
  const bytes = readFileSync(join(state, "keys", `${kid}.json`));
  return mustBe(openPrivateKey(mustBe(parsePrivateKeyBytes(bytes)), null));
}

/** Opens the demo's cluster and an empty folder; the caller closes the stage, which removes both. */
export async function openStage(world: World): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "connectors-demo-"));
  chmodSync(folder, 0o700);
  const state = join(folder, "state");
  const simulator = await openSimulator({ seed: defaultSeed() });
  writeFileSync(join(folder, "cluster.yaml"), simulator.kubeconfig(), { mode: 0o600 });
  const file = (name: string): string => join(folder, name);
  const start = (args: readonly string[]): Running => startCommand(state, folder, args);
  const view = async () => {
    const clusters = mustBe(await listKnownClusters(state));
    return { declarations: operationDeclarations, clusters };
  };
  return {
    simulator,
    file,
    start,
    run: (args) => start(args).ended,
    async render(name) {
      return mustBe(renderPrepared(readFileSync(file(name)), await view())).lines;
    },
    async approve(name) {
      const approver = makeKeyApprover({
        key: await openDemoKey(state),
        view: await view(),
        ambient: world.ambient,
        acceptUnknownCluster: false,
        confirm: () => Promise.resolve(true),
      });
      const { signal } = new AbortController();
      const proof = mustBe(await approver.approve({ file: readFileSync(file(name)) }, { signal }));
      writeFileSync(file(`${name}.proof`), `${proof.jws}\n`, { mode: 0o600 });
    },
    async close() {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
