import { openSimulator, type Simulator } from "@connectors/kubernetes-simulator";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { exitCodes } from "../exit-code.js";
import { escapeLine } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { shellWord } from "../output/shell-line.js";
import type { SimulateFlags } from "../program/setup-commands.js";
import type { World } from "../world/world.js";
import { saveKubeconfig, type SavedKubeconfig } from "./simulator-kubeconfig.js";
import { readFaults, readSeed } from "./simulator-scripts.js";

const seedMessageCharactersMax = 400;

async function openCluster(flags: SimulateFlags): Promise<Outcome<Simulator>> {
  const seed = await readSeed(flags.seed);
  if (!seed.ok) return seed;
  const faults = await readFaults(flags.faults);
  if (!faults.ok) return faults;
  try {
    return succeed(
      await openSimulator({ port: flags.port, seed: seed.value, faults: faults.value }),
    );
  } catch (error) {
    return describeOpening(error, flags);
  }
}

function describeOpening(error: unknown, { port }: SimulateFlags): Outcome<never> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") {
    return fail("unavailable", `something else listens at port ${port}`, {
      hint: "Name another with --port, or leave it out.",
    });
  }
  if (code === "EACCES") {
    return fail("forbidden", `this user may not listen at port ${port}`, {
      hint: "Name one from 1024 on with --port, or leave it out.",
    });
  }
  // A seed that a cluster would refuse is told in the simulator's words, which name the object.
  if (error instanceof RangeError) {
    return fail("invalid_input", error.message.slice(0, seedMessageCharactersMax), {
      hint: "Correct the seed file; docs/simulator.md shows the form.",
    });
  }
  throw error;
}

function tell(
  world: World,
  simulator: Simulator,
  { path }: SavedKubeconfig,
  flags: SimulateFlags,
): void {
  if (flags.output === "text") {
    world.out(`${world.outIsTerminal ? escapeLine(path) : path}\n`);
  } else printJson(world, { kubeconfig: path, url: simulator.url });
  if (flags.quiet === true) return;
  const word = escapeLine(shellWord(path));
  world.err(`a simulated cluster at ${simulator.url}, until Ctrl-C\n`);
  world.err(`next: KUBECONFIG=${word} kubectl -n web get pods\n`);
  world.err(`      connectors adapters add kubernetes sim --kubeconfig ${word} --namespaces web\n`);
}

/** Runs the simulated cluster until interrupted. */
export async function runSimulate(world: World, flags: SimulateFlags): Promise<number> {
  const { signal } = world.interrupt;
  const cluster = await openCluster(flags);
  if (!cluster.ok) return finish(world, flags.output, cluster);
  const simulator = cluster.value;
  const saved = await saveKubeconfig(flags.kubeconfig, simulator.kubeconfig());
  if (!saved.ok) {
    await simulator.close();
    return finish(world, flags.output, saved);
  }
  tell(world, simulator, saved.value, flags);
  if (!signal.aborted) {
    await new Promise<void>((done) => {
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
  await simulator.close();
  await saved.value.remove();
  return exitCodes.ok;
}
