import { hostname, userInfo } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBareRig, restartNow, bothWrites, type CommandRig } from "../testing/command-rig.js";
import { makeSteadyText, type SteadyText } from "../testing/steady-text.js";

let rig: CommandRig;
let steady: SteadyText;
const transcript: string[] = [];

beforeAll(async () => {
  rig = await openBareRig();
  const { port } = new URL(rig.simulator.url);
  const { username } = userInfo();
  steady = makeSteadyText([
    ["FOLDER", rig.folder],
    ["PORT", port],
    ["HOSTNAME", hostname()],
    ["NODE", process.versions.node],
    ["os:USER", `os:${username}`],
  ]);
});
afterAll(() => rig.close());

function note(args: readonly string[], out: string, err: string, code: number | null): void {
  const user = userInfo().username;
  const text = [
    `$ connectors ${args.join(" ")}\n`,
    out,
    ...err.split(/(?<=\n)/).map((line) => (line === "" ? "" : `  2> ${line}`)),
    `  exit ${code}\n`,
  ].join("");
  transcript.push(steady.of(text).replaceAll(new RegExp(`\\b${user}\\b`, "g"), "<USER>"));
}

async function step(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await rig.run(args);
  note(args, stdout, stderr, code);
  return stdout;
}

async function pair(...args: readonly string[]): Promise<void> {
  await step(...args);
  await step(...args, "-o", "json");
}

async function attemptId(): Promise<string> {
  const { stdout } = await rig.run(["attempts", "list", "--limit", "1", "-o", "json"]);
  const [attempt] = JSON.parse(stdout) as readonly { readonly id: string }[];
  return attempt?.id ?? "none";
}

async function settled(): Promise<void> {
  await expect
    .poll(() => {
      const status = rig.simulator.objects.get("apps", "deployments", "web", "api")?.["status"];
      return (status as { readonly updatedReplicas?: number } | undefined)?.updatedReplicas;
    })
    .toBe(3);
}

async function setUp(): Promise<void> {
  await step("operations");
  await pair("init");
  await step("adapters", "list");
  const file = rig.file("cluster.yaml");
  const add = ["adapters", "add", "kubernetes", "dev", "--kubeconfig", file];
  await step(...add, "--namespaces", "web");
  await step("operations", "dev");
  await step(...add, ...bothWrites);
  await step(...add, ...bothWrites);
  await pair("adapters", "list");
  await step("adapters", "show", "dev");
  await step("adapters", "check", "dev");
  await step("operations", "dev");
  await step("describe", "dev/deployment.rollout_restart");
  await step("describe", "dev/pods.exec");
}

async function writeRestart(): Promise<readonly string[]> {
  await pair("read", "dev/deployments.get", "namespace=web", "name=api");
  await step("write", ...restartNow);
  const write = await rig.approved("restart.json", restartNow);
  const text = write.filter((word) => word !== "-o" && word !== "json");
  await step("policy", "test", rig.file("restart.json"));
  await step(...text);
  await step(...text);
  await step(...write);
  await settled();
  const stale = await rig.approved("stale.json", [
    "dev/deployment.rollout_restart",
    "namespace=web",
    "name=api",
    `uid=${rig.simulator.objects.get("apps", "deployments", "web", "api")?.metadata.uid ?? ""}`,
    "resource_version=1",
  ]);
  await step(...stale.filter((word) => word !== "-o" && word !== "json"));
  return text;
}

async function writeExec(): Promise<void> {
  const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
  const script = ["--", "sh", "-c", "echo out; exit 3"];
  await step("write", ...where, ...script);
  const write = await rig.approved("exec.json", [...where, ...script]);
  await step(...write.filter((word) => word !== "-o" && word !== "json"));
  const fine = await rig.approved("true.json", [...where, "--", "true"]);
  await step(...fine);
  await step(...fine.filter((word) => word !== "-o" && word !== "json"));
}

test("what each command says of a life with one cluster is as the golden file has it", async () => {
  await setUp();
  await writeRestart();
  await writeExec();
  await step("attempts", "list");
  const id = await attemptId();
  await step("attempts", "show", id);
  await step("attempts", "explain", id);
  await pair("attempts", "annotate", id, "seen in the Pod");
  await step("audit", "verify");
  await step("approvers", "list");
  await step("keys", "rotate");
  await step("keys", "list");
  await step("policy", "show");
  await step("adapters", "remove", "dev");
  const { stdout, stderr, code } = await rig.run(["doctor"]);
  const machine = stdout.replace(/\d+ MiB/, "<N> MiB").replace(/sqlite [\d.]+/, "sqlite <VERSION>");
  note(["doctor"], machine, stderr, code);
  const golden = "../testing/golden/transcript.txt";
  await expect(`${transcript.join("\n")}`).toMatchFileSnapshot(golden);
}, 120_000);
