import { memberOf, readAnswer, summarize } from "./answer.js";
import type { Narrator } from "./narrator.js";
import { prepareFile, writeOf, type Scene } from "./restart-scenes.js";
import { until } from "./until.js";
import type { Ended, Stage } from "./stage.js";

const rolloutMs = 20_000;

/** True when every Pod of web/api is of the version that it has now. */
function isRolledOut({ simulator }: Stage): boolean {
  const deployment = simulator.objects.get("apps", "deployments", "web", "api");
  const wanted = memberOf(deployment, "spec", "replicas");
  const counts = ["replicas", "updatedReplicas", "readyReplicas"];
  return (
    memberOf(deployment, "status", "observedGeneration") ===
      memberOf(deployment, "metadata", "generation") &&
    counts.every((name) => memberOf(deployment, "status", name) === wanted)
  );
}

/** A Pod that stays: those that a restart replaces would take their commands with them. */
async function podName(stage: Stage): Promise<string> {
  await until(() => isRolledOut(stage), rolloutMs);
  const pods = stage.simulator.objects.list("", "pods", "web");
  const pod = pods.find(
    (each) =>
      memberOf(each, "metadata", "labels", "app") === "api" &&
      memberOf(each, "metadata", "deletionTimestamp") === undefined,
  );
  return String(memberOf(pod, "metadata", "name"));
}

async function execArgs(stage: Stage, adapter: string, script: string): Promise<readonly string[]> {
  const where = ["namespace=web", `pod=${await podName(stage)}`, "container=app"];
  return [`${adapter}/pods.exec`, ...where, "--", "sh", "-c", script];
}

const exec: Scene = {
  title: "A command in a container: its output and its exit code",
  async play(stage, tell, check) {
    const script = "echo config reloaded; exit 3";
    await prepareFile(stage, tell, await execArgs(stage, "demo", script), "exec.json");
    await stage.approve("exec.json");
    tell.typed("connectors write --prepared exec.json --proof exec.json.proof");
    const ended = await stage.run(writeOf(stage, "exec.json"));
    const answer = readAnswer(ended);
    tell.answered(summarize(answer), ended.code);
    const stdout = String(memberOf(answer.result, "stdout"));
    tell.shown(stdout.trimEnd().split("\n"));
    check(ended.code === 4, "exit 4: it ran, and its own exit code is not 0");
    check(memberOf(answer.result, "exit_code") === 3, "the exit code is the command's");
    check(stdout === "config reloaded\n", "the output is the command's");
  },
};

/** Runs a long command and loses its node once it has begun; then the node is back. */
async function runAndLose(
  stage: Stage,
  tell: Narrator,
  adapter: string,
  name: string,
): Promise<Ended> {
  const script = "echo step 1 of 2; sleep 5; echo step 2 of 2";
  await prepareFile(stage, tell, await execArgs(stage, adapter, script), name);
  await stage.approve(name);
  tell.typed(`connectors write --prepared ${name} --proof ${name}.proof`);
  const before = stage.simulator.commands().length;
  const running = stage.start(writeOf(stage, name));
  await until(() => stage.simulator.commands().length > before, 10_000);
  // The command has begun; give its first line the time to be on its way.
  await until(() => false, 700).catch(() => undefined);
  stage.simulator.killKubelet();
  const ended = await running.ended;
  stage.simulator.restoreKubelet();
  return ended;
}

const lost: Scene = {
  title: "The node is lost in the middle of a command",
  async play(stage, tell, check) {
    tell.say("First over v5, the protocol that kubectl speaks:");
    const v5 = await runAndLose(stage, tell, "demo-v5", "lost-v5.json");
    const said = readAnswer(v5);
    tell.answered(summarize(said), v5.code);
    check(v5.code === 0 && memberOf(said.result, "exit_code") === 0, "v5 says Success");
    check(memberOf(said.result, "evidence") === "translated", "and we say whose word that is");
    tell.say("Success, byte for byte, and half of the command never ran.");
    tell.say("Now as connectors does it unless told otherwise, over v4 alone:");
    const v4 = await runAndLose(stage, tell, "demo", "lost.json");
    const answer = readAnswer(v4);
    tell.answered(summarize(answer), v4.code);
    check(v4.code === 3 && answer.classification === "unknown", "v4 is unknown, exit 3");
    check(answer.observed?.stdout === "step 1 of 2\n", "what was seen so far is told");
    tell.say(`seen so far: ${JSON.stringify(answer.observed?.stdout)}; it may still be running`);
  },
};

/** Scenes 5 and 6. */
export const execScenes: readonly Scene[] = [exec, lost];
