import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationDeclarations, parseWriteAnswer, type WriteAnswer } from "@connectors/domain";
import { defaultSeed, openSimulator, type Simulator } from "@connectors/kubernetes-simulator";
import {
  makeKeyApprover,
  openPrivateKey,
  parsePrivateKeyBytes,
  type OpenedKey,
} from "@connectors/runtime";
import { invariant, type Outcome } from "@connectors/sdk";
import { listCustodyKids } from "../state/file-custody.js";
import { makeSystemAmbient } from "../world/ambient.js";
import { runInWorld } from "./run-in-world.js";
import { startCommand, type Ended, type Running, type Surroundings } from "./run-command.js";

/** How a proof is made otherwise than `approve` would. */
export interface Signing {
  /** Whose key signs: another state directory. */
  readonly state?: string;
  /** How far the approver's clock is ahead. */
  readonly aheadMs?: number;
}

/** A simulated cluster, and a state directory that knows it as `dev`, with both writes allowed. */
export interface CommandRig {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly state: string;
  /** A path in the rig's folder. */
  file(name: string): string;
  /** Writes a file of the rig's folder; its path. */
  write(name: string, content: string | Uint8Array): string;
  start(args: readonly string[], more?: Partial<Surroundings>): Running;
  run(args: readonly string[], more?: Partial<Surroundings>): Promise<Ended>;
  /** The same in this process, from the sources: for tables of cases that would each take a start. */
  runHere(args: readonly string[], stdin?: string): Promise<Ended>;
  /** Prepares a write into a file of that name; the file's path. */
  prepare(name: string, args: readonly string[]): Promise<string>;
  /** Signs a prepared file with the state's own key, as `approve` would; the proof's path. */
  approve(prepared: string, how?: Signing): Promise<string>;
  /** The arguments of the write of an approved file. */
  approved(name: string, args: readonly string[]): Promise<readonly string[]>;
  /** How often the cluster was asked for anything. */
  requests(): number;
  podName(): string;
  close(): Promise<void>;
}

/** The value, or an error that ends the test: nothing of it is expected to fail. */
export function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
}

/** The answer that a write printed as JSON. */
export function answerOf({ code, stdout, stderr }: Ended): WriteAnswer {
  const parsed = parseWriteAnswer(JSON.parse(stdout === "" ? "null" : stdout));
  if (parsed.ok) return parsed.value;
  throw new Error(`no answer (exit ${code}): ${stdout}${stderr}`);
}

/** The failure that a command printed as JSON. */
export function failureOf({ code, stdout, stderr }: Ended): {
  readonly code: string;
  readonly message: string;
  readonly reason?: string;
  readonly effect: string;
  readonly hint: string;
} {
  const body: unknown = JSON.parse(stdout === "" ? "null" : stdout);
  if (typeof body === "object" && body !== null && "failure" in body) {
    return body.failure as ReturnType<typeof failureOf>;
  }
  throw new Error(`no failure (exit ${code}): ${stdout}${stderr}`);
}

async function openKey(state: string): Promise<OpenedKey> {
  const [kid] = await listCustodyKids(state);
  invariant(kid !== undefined, "the rig's state directory has a key");
  const bytes = readFileSync(join(state, "keys", `${kid}.json`));
  return must(openPrivateKey(must(parsePrivateKeyBytes(bytes)), null));
}

async function signFile(state: string, prepared: string, how: Signing = {}): Promise<string> {
  const { clock, random } = makeSystemAmbient();
  const nowMs = (): number => clock.nowMs() + (how.aheadMs ?? 0);
  const approver = makeKeyApprover({
    key: await openKey(how.state ?? state),
    view: { declarations: operationDeclarations, clusters: [] },
    ambient: { clock: { ...clock, nowMs }, random },
    acceptUnknownCluster: true,
    confirm: () => Promise.resolve(true),
  });
  const { signal } = new AbortController();
  const { jws } = must(await approver.approve({ file: readFileSync(prepared) }, { signal }));
  writeFileSync(`${prepared}.proof`, `${jws}\n`, { mode: 0o600 });
  return `${prepared}.proof`;
}

/** The name of a Pod of web/api that is not about to end. */
function findPod({ objects }: Simulator): string {
  const pods = objects.list("", "pods", "web");
  const pod = pods.find(
    ({ metadata }) =>
      metadata.labels?.["app"] === "api" && metadata.deletionTimestamp === undefined,
  );
  invariant(pod !== undefined, "web/api has a Pod");
  return pod.metadata.name;
}

function makeRig(simulator: Simulator, folder: string): CommandRig {
  const state = join(folder, "state");
  const file = (name: string): string => join(folder, name);
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(file(name), content, { mode: 0o600 });
    return file(name);
  };
  const start: CommandRig["start"] = (args, more = {}) =>
    startCommand(args, {
      cwd: folder,
      ...more,
      environment: { CONNECTORS_STATE: state, ...more.environment },
    });
  const run: CommandRig["run"] = (args, more) => start(args, more).ended;
  const runHere: CommandRig["runHere"] = (args, stdin = "") =>
    runInWorld(args, { stdin, environment: { CONNECTORS_STATE: state } });
  const prepare: CommandRig["prepare"] = async (name, args) => {
    const { code, stdout, stderr } = await runHere(["prepare", ...args]);
    if (code !== 0) throw new Error(`prepare exited ${code}: ${stdout}${stderr}`);
    return write(name, stdout);
  };
  return {
    simulator,
    folder,
    state,
    file,
    write,
    start,
    run,
    runHere,
    prepare,
    approve: (prepared, how) => signFile(state, prepared, how),
    async approved(name, args) {
      const prepared = await prepare(name, args);
      const proof = await signFile(state, prepared);
      return ["write", "--prepared", prepared, "--proof", proof, "-o", "json"];
    },
    requests: () => simulator.requestCount(),
    podName: () => findPod(simulator),
    async close() {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The arguments of a restart of web/api at the version that it has now. */
export const restartNow: readonly string[] = [
  "dev/deployment.rollout_restart",
  "--at-current",
  "namespace=web",
  "name=api",
];

/** The flags of `adapters add` that allow both writes. */
export const bothWrites: readonly string[] = [
  "--namespaces",
  "web",
  "--allow",
  "deployment.rollout_restart,pods.exec",
];

/** Opens a cluster and an empty folder; nothing has been run yet. */
export async function openBareRig(): Promise<CommandRig> {
  // As the command itself does first: what it makes here is this user's alone too.
  process.umask(0o077);
  const folder = mkdtempSync(join(tmpdir(), "connectors-test-"));
  const simulator = await openSimulator({
    seed: defaultSeed(),
    pace: { podReadyMs: 1, podReplaceMs: 1 },
  });
  const rig = makeRig(simulator, folder);
  rig.write("cluster.yaml", simulator.kubeconfig());
  return rig;
}

/** Opens a rig whose state directory is made and knows the cluster. */
export async function openCommandRig(): Promise<CommandRig> {
  const rig = await openBareRig();
  const add = ["adapters", "add", "kubernetes", "dev", "--kubeconfig", rig.file("cluster.yaml")];
  for (const args of [["init"], [...add, ...bothWrites]]) {
    const { code, stdout, stderr } = await rig.runHere(args);
    if (code !== 0) throw new Error(`${args.join(" ")} exited ${code}: ${stdout}${stderr}`);
  }
  return rig;
}
