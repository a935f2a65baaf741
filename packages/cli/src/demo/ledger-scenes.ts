import { memberOf } from "./answer.js";
import { firstLine } from "./narrator.js";
import { prepareFile, writeOf, type Scene } from "./restart-scenes.js";
import { until } from "./until.js";
import type { Stage } from "./stage.js";

function patches(stage: Stage): number {
  return stage.simulator.requests().filter(({ method }) => method === "PATCH").length;
}

const crash: Scene = {
  title: "Our own process is killed between the gate and the answer",
  async play(stage, tell, check) {
    const args = [
      "demo/deployment.rollout_restart",
      "--at-current",
      "namespace=web",
      "name=worker",
    ];
    await prepareFile(stage, tell, args, "crash.json");
    await stage.approve("crash.json");
    const before = patches(stage);
    // The cluster takes the request, and its answer never comes.
    stage.simulator.faults.use([
      { match: { method: "PATCH" }, fault: { kind: "half_open", at: "after_commit" } },
    ]);
    tell.typed("connectors write --prepared crash.json --proof crash.json.proof");
    const running = stage.start(writeOf(stage, "crash.json"));
    await until(() => patches(stage) > before, 15_000);
    running.kill("SIGKILL");
    const ended = await running.ended;
    stage.simulator.faults.use([]);
    tell.answered(`killed by ${ended.signal}`, ended.code);
    tell.typed("connectors attempts list --limit 1");
    const listed = await stage.run(["attempts", "list", "--limit", "1", "-o", "json"]);
    const attempt: unknown = memberOf(JSON.parse(listed.stdout), "0");
    const id = String(memberOf(attempt, "id"));
    tell.typed(`connectors attempts explain ${id}`);
    const explained = await stage.run(["attempts", "explain", id]);
    tell.answered(firstLine(explained.stdout), explained.code);
    tell.shown(explained.stdout.trimEnd().split("\n").slice(1));
    check(memberOf(attempt, "state") === "Indeterminate", "the ledger says unknown");
    const made = patches(stage) - before;
    check(made === 1, "the cluster counted one request");
    const again = await stage.run(writeOf(stage, "crash.json"));
    check(again.code === 3 && patches(stage) - before === 1, "trying again sends nothing");
    tell.say(`the cluster counted ${made} request, also after the same write was tried again`);
  },
};

const audit: Scene = {
  title: "What was decided and sent is in one chain",
  async play(stage, tell, check) {
    tell.typed("connectors audit verify");
    const verified = await stage.run(["audit", "verify", "-q"]);
    tell.answered(firstLine(verified.stdout), verified.code);
    check(verified.code === 0, "the chain verifies");
  },
};

/** Scenes 7 and 8. */
export const ledgerScenes: readonly Scene[] = [crash, audit];
