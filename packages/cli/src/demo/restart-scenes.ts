import { writeFileSync } from "node:fs";
import { memberOf, readAnswer, summarize } from "./answer.js";
import type { Narrator } from "./narrator.js";
import type { Stage } from "./stage.js";

/** What a scene checks; a scene that is not so ends the demo. */
export type Check = (fact: boolean, what: string) => void;

/** One scene: a title, and what happens in it. */
export interface Scene {
  readonly title: string;
  play(stage: Stage, tell: Narrator, check: Check): Promise<void>;
}

const operation = "demo/deployment.rollout_restart";
const target = ["namespace=web", "name=api"];

function readDeployment(stage: Stage): unknown {
  return stage.simulator.objects.get("apps", "deployments", "web", "api");
}

function generation(stage: Stage): number {
  return Number(memberOf(readDeployment(stage), "metadata", "generation"));
}

/** Prepares a write into a file of the stage, with everything that a user would type. */
export async function prepareFile(
  stage: Stage,
  tell: Narrator,
  args: readonly string[],
  name: string,
): Promise<void> {
  const shown = args.map((arg) => (/[\s;]/.test(arg) ? `'${arg}'` : arg)).join(" ");
  tell.typed(`connectors prepare ${shown} > ${name}`);
  const prepared = await stage.run(["prepare", ...args]);
  if (prepared.code !== 0) throw new Error(`prepare: ${prepared.stdout}${prepared.stderr}`);
  writeFileSync(stage.file(name), prepared.stdout, { mode: 0o600 });
}

/** The arguments of the write of a prepared file. */
export function writeOf(stage: Stage, name: string): readonly string[] {
  return [
    "write",
    "--prepared",
    stage.file(name),
    "--proof",
    stage.file(`${name}.proof`),
    "-o",
    "json",
  ];
}

const typedWrite = (name: string): string =>
  `connectors write --prepared ${name} --proof ${name}.proof`;

const freeze: Scene = {
  title: "A restart is frozen: this is what an approver sees",
  async play(stage, tell, check) {
    await prepareFile(stage, tell, [operation, "--at-current", ...target], "restart.json");
    const before = stage.simulator.requests().filter(({ method }) => method === "PATCH").length;
    tell.shown(await stage.render("restart.json"));
    check(before === 0, "nothing was written to the cluster");
    tell.say("Nothing has been changed. The digest of these bytes is what will be signed.");
  },
};

const apply: Scene = {
  title: "Approved, and applied",
  async play(stage, tell, check) {
    tell.typed("connectors approve restart.json");
    tell.say("(the demo signs with its own key; for you it asks on the terminal)");
    await stage.approve("restart.json");
    const before = generation(stage);
    tell.typed(typedWrite("restart.json"));
    const ended = await stage.run(writeOf(stage, "restart.json"));
    const answer = readAnswer(ended);
    tell.answered(summarize(answer), ended.code);
    check(ended.code === 0 && answer.classification === "applied", "it is applied, exit 0");
    check(generation(stage) === before + 1, "the generation moved by one");
    tell.say(`metadata.generation ${before} → ${generation(stage)}`);
  },
};

const replay: Scene = {
  title: "The same key again: the stored answer, and no request",
  async play(stage, tell, check) {
    const before = stage.simulator.requests().length;
    tell.typed(typedWrite("restart.json"));
    const ended = await stage.run(writeOf(stage, "restart.json"));
    const answer = readAnswer(ended);
    tell.answered(summarize(answer), ended.code);
    check(ended.code === 0 && answer.replayed, "it is replayed, exit 0");
    const made = stage.simulator.requests().length - before;
    check(made === 0, "the cluster saw no request");
    tell.say(`the cluster saw ${made} requests`);
  },
};

const stale: Scene = {
  title: "A version that is not current any more: refused",
  async play(stage, tell, check) {
    const uid = String(memberOf(readDeployment(stage), "metadata", "uid"));
    const input = [...target, `uid=${uid}`, "resource_version=1"];
    await prepareFile(stage, tell, [operation, ...input], "stale.json");
    await stage.approve("stale.json");
    const before = generation(stage);
    tell.typed(typedWrite("stale.json"));
    const ended = await stage.run(writeOf(stage, "stale.json"));
    const answer = readAnswer(ended);
    tell.answered(summarize(answer), ended.code);
    const { status } =
      stage.simulator.requests().findLast(({ method }) => method === "PATCH") ?? {};
    check(ended.code === 1 && answer.classification === "refused", "it is refused, exit 1");
    check(status === 409, "the cluster answered 409");
    check(generation(stage) === before, "nothing changed");
    tell.say("The API server answered 409 Conflict: what was approved is not what is there.");
  },
};

/** Scenes 1 to 4. */
export const restartScenes: readonly Scene[] = [freeze, apply, replay, stale];
