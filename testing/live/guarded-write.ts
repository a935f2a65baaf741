// Black box: the built command against a real cluster, as a person would use it. Run by hand:
//   npx tsx testing/live/guarded-write.ts --kubeconfig FILE --kubectl "PROGRAM [WORD…]" --kubelet-pid FILE
// The kubelet's pid file is optional; with it the kubelet is ended in the middle of a command.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { runOnTerminal } from "../terminal/terminal.js";
import {
  kubectl,
  limitedUser,
  manifests,
  runProgram,
  until,
  type ClusterAccess,
  type Ended,
} from "./cluster-access.js";

const { values } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    kubectl: { type: "string", default: "kubectl" },
    "kubelet-pid": { type: "string" },
    image: { type: "string", default: "docker.io/rig/busybox:1" },
  },
});
if (values.kubeconfig === undefined) {
  process.stderr.write(
    "usage: guarded-write.ts --kubeconfig FILE [--kubectl PROGRAM] [--kubelet-pid FILE]\n",
  );
  process.exit(2);
}
const access: ClusterAccess = { kubeconfig: values.kubeconfig, kubectl: values.kubectl.split(" ") };
const namespace = `guarded-${Date.now().toString(36)}`;
const folder = mkdtempSync(join(tmpdir(), "connectors-live-"));
const state = join(folder, "state");
const connectors = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "connectors.js");
let passed = 0;
let failed = 0;

function check(what: string, fact: boolean, detail = ""): void {
  if (fact) passed += 1;
  else failed += 1;
  process.stdout.write(`${fact ? "ok" : "FAILED"}: ${what}${fact ? "" : ` ${detail}`}\n`);
}

function own(args: readonly string[], timeoutMs = 90_000): Ended {
  return runProgram([process.execPath, connectors, ...args], {
    environment: { CONNECTORS_STATE: state },
    timeoutMs,
  });
}

interface Answer {
  readonly classification: string;
  readonly replayed: boolean;
  readonly failure: { readonly code: string; readonly hint: string } | null;
  readonly result: { readonly exit_code?: number; readonly stdout?: string } | null;
  readonly observed: { readonly stdout: string } | null;
}

/** The JSON answer of a command; throws with what it printed instead. */
function answerOf(ended: Ended): Answer {
  try {
    return JSON.parse(ended.stdout) as Answer;
  } catch {
    throw new Error(`no JSON answer (exit ${ended.code}): ${ended.stdout}${ended.stderr}`);
  }
}

let files = 0;

/** prepare → approve on a terminal → the arguments of the write. */
async function approved(
  adapter: string,
  operation: string,
  input: readonly string[],
  flags: readonly string[] = [],
): Promise<string[]> {
  files += 1;
  const file = join(folder, `prepared-${files}.json`);
  const prepared = own(["prepare", `${adapter}/${operation}`, ...flags, ...input]);
  if (prepared.code !== 0) throw new Error(`prepare: ${prepared.stdout}${prepared.stderr}`);
  writeFileSync(file, prepared.stdout, { mode: 0o600 });
  const run = await runOnTerminal({
    argv: [process.execPath, connectors, "approve", file],
    typed: [{ after: /\[y\/N\] $/, keys: "y\n" }],
    environment: { CONNECTORS_STATE: state },
    timeoutMs: 60_000,
  });
  if (run.code !== 0) throw new Error(`approve: ${run.screen}`);
  return ["write", "--prepared", file, "--proof", `${file}.proof`, "-o", "json"];
}

function generation(): number {
  return Number(
    kubectl(access, [
      "-n",
      namespace,
      "get",
      "deploy",
      "api",
      "-o",
      "jsonpath={.metadata.generation}",
    ]),
  );
}

function pod(): string {
  return kubectl(access, [
    "-n",
    namespace,
    "get",
    "pods",
    "-l",
    "app=api",
    "--field-selector=status.phase=Running",
    "-o",
    "jsonpath={.items[0].metadata.name}",
  ]);
}

function settled(): boolean {
  const seen = kubectl(access, [
    "-n",
    namespace,
    "get",
    "deploy",
    "api",
    "-o",
    "jsonpath={.status.observedGeneration}/{.status.readyReplicas}/{.status.replicas}/{.status.updatedReplicas}",
  ]);
  return seen === `${generation()}/1/1/1`;
}

async function restarts(): Promise<void> {
  const input = [`namespace=${namespace}`, "name=api"];
  const before = generation();
  const write = await approved("prod", "deployment.rollout_restart", input, ["--at-current"]);
  const first = own(write);
  check(
    "an approved restart is applied, exit 0",
    first.code === 0 && answerOf(first).classification === "applied",
    first.stdout + first.stderr,
  );
  check(
    "metadata.generation moved by exactly 1",
    generation() === before + 1,
    String(generation() - before),
  );
  const again = own(write);
  check(
    "the same key again is replayed",
    again.code === 0 && answerOf(again).replayed,
    again.stdout,
  );
  check("and moved nothing", generation() === before + 1);
  await until("the rollout", 60_000, settled);

  const read = own(["read", "prod/deployments.get", ...input, "-o", "json"]);
  const { uid } = JSON.parse(read.stdout) as { uid: string };
  const stale = own(
    await approved("prod", "deployment.rollout_restart", [
      ...input,
      `uid=${uid}`,
      "resource_version=1",
    ]),
  );
  check(
    "a stale version is refused, invalid_input, exit 1",
    stale.code === 1 &&
      answerOf(stale).classification === "refused" &&
      answerOf(stale).failure?.code === "invalid_input",
    stale.stdout,
  );
  const missing = own(
    await approved("prod", "deployment.rollout_restart", [
      `namespace=${namespace}`,
      "name=nope",
      `uid=${uid}`,
      "resource_version=1",
    ]),
  );
  check(
    "a missing Deployment is refused, not_found, exit 1",
    missing.code === 1 &&
      answerOf(missing).classification === "refused" &&
      answerOf(missing).failure?.code === "not_found",
    missing.stdout,
  );
}

async function execs(): Promise<void> {
  const where = [`namespace=${namespace}`, `pod=${pod()}`];
  const fine = own(
    await approved("prod", "pods.exec", [
      ...where,
      "container=app",
      "--",
      "sh",
      "-c",
      "echo out; echo err >&2; exit 7",
    ]),
  );
  check(
    "an exec answers with the container's exit code, exit 4",
    fine.code === 4 &&
      answerOf(fine).result?.exit_code === 7 &&
      answerOf(fine).result?.stdout === "out\n",
    fine.stdout,
  );
  const zero = own(await approved("prod", "pods.exec", [...where, "container=app", "--", "true"]));
  check(
    "a successful exec exits 0",
    zero.code === 0 && answerOf(zero).result?.exit_code === 0,
    zero.stdout,
  );
  const wrong = own(
    await approved("prod", "pods.exec", [...where, "container=nope", "--", "true"]),
  );
  check(
    "a wrong container is refused, invalid_input, exit 1",
    wrong.code === 1 &&
      answerOf(wrong).classification === "refused" &&
      answerOf(wrong).failure?.code === "invalid_input",
    wrong.stdout,
  );
}

async function withoutRbac(): Promise<void> {
  const file = join(folder, "limited.json");
  const rules = [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["get"] }];
  writeFileSync(file, limitedUser(access, { namespace, name: "limited", rules }), { mode: 0o600 });
  const added = own([
    "adapters",
    "add",
    "kubernetes",
    "limited",
    "--kubeconfig",
    file,
    "--namespaces",
    namespace,
    "--allow",
    "pods.exec,deployment.rollout_restart",
  ]);
  check(
    "an adapter with too little RBAC can be added",
    added.code === 0,
    added.stdout + added.stderr,
  );
  const exec = own(
    await approved("limited", "pods.exec", [
      `namespace=${namespace}`,
      `pod=${pod()}`,
      "container=app",
      "--",
      "true",
    ]),
  );
  check(
    "an exec without RBAC is refused, forbidden, exit 1",
    exec.code === 1 &&
      answerOf(exec).classification === "refused" &&
      answerOf(exec).failure?.code === "forbidden",
    exec.stdout,
  );
  check("its hint names the verb", /get/.test(answerOf(exec).failure?.hint ?? ""), exec.stdout);
  const before = generation();
  const restart = own(
    await approved(
      "limited",
      "deployment.rollout_restart",
      [`namespace=${namespace}`, "name=api"],
      ["--at-current"],
    ),
  );
  check(
    "a restart without RBAC is not attempted, forbidden, exit 1",
    restart.code === 1 &&
      answerOf(restart).classification === "not_attempted" &&
      answerOf(restart).failure?.code === "forbidden",
    restart.stdout,
  );
  check("and moved nothing", generation() === before);
}

/** Ends the kubelet as `act` runs, and starts it again with its own command line. */
async function withoutKubelet<T>(pidFile: string, act: () => Promise<T>): Promise<T> {
  const pid = Number(readFileSync(pidFile, "utf8"));
  const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  try {
    const running = act();
    await new Promise((next) => setTimeout(next, 2_500));
    process.kill(pid, "SIGKILL");
    return await running;
  } finally {
    const [program = "", ...args] = argv;
    const again = spawn(program, args, { detached: true, stdio: "ignore" });
    again.unref();
    writeFileSync(pidFile, `${again.pid}\n`);
  }
}

function inBackground(argv: readonly string[]): Promise<Ended> {
  const [program = "", ...args] = argv;
  return new Promise((done) => {
    const child = spawn(program, args, {
      env: { ...process.env, CONNECTORS_STATE: state },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (stdout += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece));
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

async function lostNode(pidFile: string): Promise<void> {
  const name = pod();
  const script = ["sh", "-c", "echo begun; sleep 8; echo ended"];
  const write = await approved("prod", "pods.exec", [
    `namespace=${namespace}`,
    `pod=${name}`,
    "container=app",
    "--",
    ...script,
  ]);
  const ours = await withoutKubelet(pidFile, () =>
    inBackground([process.execPath, connectors, ...write]),
  );
  check(
    "the kubelet ended in the middle of an exec is unknown, exit 3",
    ours.code === 3 && answerOf(ours).classification === "unknown",
    ours.stdout + ours.stderr,
  );
  check("what was seen so far is told", answerOf(ours).observed?.stdout === "begun\n", ours.stdout);
  const back = (): boolean =>
    runProgram([
      ...access.kubectl,
      "--kubeconfig",
      access.kubeconfig,
      "-n",
      namespace,
      "exec",
      name,
      "--",
      "true",
    ]).code === 0;
  await until("the kubelet is back", 60_000, back);
  const theirs = await withoutKubelet(pidFile, () =>
    inBackground([
      ...access.kubectl,
      "--kubeconfig",
      access.kubeconfig,
      "-n",
      namespace,
      "exec",
      name,
      "--",
      ...script,
    ]),
  );
  check(
    "kubectl exec of the same says 0",
    theirs.code === 0 && theirs.stdout === "begun\n",
    `${theirs.code} ${theirs.stdout}${theirs.stderr}`,
  );
  await until("the kubelet is back", 60_000, back);
}

try {
  kubectl(access, ["apply", "-f", "-"], manifests(namespace, values.image));
  await until("the Deployment is ready", 90_000, settled);
  const made = own(["init"]);
  check("init", made.code === 0, made.stderr);
  const added = own([
    "adapters",
    "add",
    "kubernetes",
    "prod",
    "--kubeconfig",
    access.kubeconfig,
    "--namespaces",
    namespace,
    "--allow",
    "deployment.rollout_restart,pods.exec",
  ]);
  check("adapters add", added.code === 0, added.stdout + added.stderr);
  await restarts();
  await execs();
  await withoutRbac();
  if (values["kubelet-pid"] !== undefined) await lostNode(values["kubelet-pid"]);
  const verified = own(["audit", "verify"]);
  check("the audit chain verifies", verified.code === 0, verified.stdout + verified.stderr);
} finally {
  kubectl(access, ["delete", "namespace", namespace, "--wait=false"]);
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
