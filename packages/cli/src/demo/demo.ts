import { exitCodes } from "../exit-code.js";
import { makeStyle } from "../output/style.js";
import type { World } from "../world/world.js";
import { execScenes } from "./exec-scenes.js";
import { ledgerScenes } from "./ledger-scenes.js";
import { makeNarrator, type Narrator } from "./narrator.js";
import { restartScenes, type Scene } from "./restart-scenes.js";
import { openStage, type Ended, type Stage } from "./stage.js";

const scenes: readonly Scene[] = [...restartScenes, ...execScenes, ...ledgerScenes];

async function must(ended: Promise<Ended>, what: string): Promise<void> {
  const { code, stdout, stderr } = await ended;
  if (code !== 0) throw new Error(`${what} exited with ${code}: ${stdout}${stderr}`);
}

/** The state directory and its adapters, as the README has a user make them. */
async function setUp(stage: Stage, tell: Narrator): Promise<void> {
  const cluster = ["--kubeconfig", stage.file("cluster.yaml"), "--namespaces", "web"];
  tell.typed("connectors init");
  await must(stage.run(["init"]), "init");
  const writes = "deployment.rollout_restart,pods.exec";
  tell.typed(`connectors adapters add kubernetes demo --namespaces web --allow ${writes}`);
  await must(
    stage.run(["adapters", "add", "kubernetes", "demo", ...cluster, "--allow", writes]),
    "adapters add",
  );
  const v5 = ["--allow", "pods.exec", "--exec-subprotocols", "v5"];
  await must(
    stage.run(["adapters", "add", "kubernetes", "demo-v5", ...cluster, ...v5]),
    "adapters add",
  );
}

async function play(stage: Stage, tell: Narrator): Promise<number> {
  for (const [index, scene] of scenes.entries()) {
    const number = index + 1;
    tell.scene(number, scene.title);
    try {
      await scene.play(stage, tell, (fact, what) => {
        if (!fact) throw new Error(`it is not so that ${what}`);
      });
    } catch (error) {
      tell.say(`scene ${number} failed: ${error instanceof Error ? error.message : "unknown"}`);
      return exitCodes.nothingDone;
    }
  }
  return exitCodes.ok;
}

function tellNext(tell: Narrator): void {
  tell.say("");
  tell.say("Next, on a cluster of yours or on the simulated one (`connectors simulate`):");
  tell.typed("connectors init");
  tell.typed(
    "connectors adapters add kubernetes dev --namespaces NAMESPACE --allow deployment.rollout_restart",
  );
  tell.typed(
    "connectors write dev/deployment.rollout_restart --at-current namespace=NAMESPACE name=NAME",
  );
}

/** Plays eight scenes on a built-in cluster; 1 when one of them came out otherwise. */
export async function runDemo(world: World, flags: { readonly color: boolean }): Promise<number> {
  const { NO_COLOR: refused } = world.environment;
  const colour = flags.color && world.outIsTerminal && (refused === undefined || refused === "");
  const tell = makeNarrator((text) => world.out(text), makeStyle(colour));
  tell.say("Guarded writes on a built-in cluster. Nothing outside this process is touched.");
  const stage = await openStage(world);
  world.interrupt.answerWith({
    first: () => void stage.close().finally(() => process.exit(exitCodes.interrupted)),
    second: () => exitCodes.interrupted,
  });
  try {
    await setUp(stage, tell);
    const code = await play(stage, tell);
    if (code === exitCodes.ok) tellNext(tell);
    return code;
  } catch (error) {
    tell.say(`the demo could not be set up: ${error instanceof Error ? error.message : "unknown"}`);
    return exitCodes.nothingDone;
  } finally {
    await stage.close();
  }
}
