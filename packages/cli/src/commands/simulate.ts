import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  defaultSeed,
  openSimulator,
  parseFaults,
  parseSeed,
  type FaultRule,
  type Parsed,
  type Simulator,
  type SimulatorSeed,
} from "@connectors/kubernetes-simulator";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { parseAllDocuments } from "yaml";
import { exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { printFailure } from "../output/print-failure.js";
import type { SimulateFlags } from "../program/setup-commands.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";

const scriptBytesMax = 4 * 1024 * 1024;

/** The documents of a YAML or JSON file. */
async function readDocuments(path: string, what: string): Promise<Outcome<readonly unknown[]>> {
  const bytes = await readBoundedFile(path, scriptBytesMax, what);
  if (!bytes.ok) return bytes;
  const text = new TextDecoder().decode(bytes.value);
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  const values: unknown[] = [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line ?? 1;
      return fail("invalid_input", `${what} is not YAML at line ${line}`);
    }
    try {
      values.push(document.toJS({ maxAliasCount: 100 }));
    } catch {
      return fail("invalid_input", `${what} has more aliases than it may`);
    }
  }
  return succeed(values);
}

function unwrap<T>(parsed: Parsed<T>, what: string): Outcome<T> {
  if (parsed.ok) return succeed(parsed.value);
  const [issue] = parsed.issues;
  return fail("invalid_input", `${what}: ${issue?.path} ${issue?.message}`, {
    hint: "Correct that place; `docs/simulator.md` shows the form.",
  });
}

/** A seed file is either one document of the seed's own form, or manifests as kubectl applies. */
async function readSeed(path: string | undefined): Promise<Outcome<SimulatorSeed>> {
  if (path === undefined) return succeed(defaultSeed());
  const documents = await readDocuments(path, "the seed file");
  if (!documents.ok) return documents;
  const values = documents.value.filter((value) => value !== null);
  const [only] = values;
  const own = values.length === 1 && typeof only === "object" && only !== null && !("kind" in only);
  return unwrap(parseSeed(own ? only : { manifests: values }), "the seed file");
}

async function readFaults(path: string | undefined): Promise<Outcome<readonly FaultRule[]>> {
  if (path === undefined) return succeed([]);
  const bytes = await readBoundedFile(path, scriptBytesMax, "the fault script");
  if (!bytes.ok) return bytes;
  return unwrap(parseFaults(new TextDecoder().decode(bytes.value)), "the fault script");
}

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
    const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    return taken
      ? fail("unavailable", "something else listens at that port", {
          hint: "Name another with --port, or leave it out.",
        })
      : fail("invalid_input", "a cluster would refuse the seed", {
          hint: "Apply the manifests to a cluster to see what is wrong with them.",
        });
  }
}

async function saveKubeconfig(path: string, text: string): Promise<Outcome<void>> {
  try {
    await writeFile(path, text, { mode: 0o600 });
    return succeed(undefined);
  } catch {
    return fail("unavailable", "the kubeconfig cannot be written", {
      hint: "Name another file with --kubeconfig.",
    });
  }
}

/** Runs the simulated cluster until interrupted. */
export async function runSimulate(world: World, flags: SimulateFlags): Promise<number> {
  const cluster = await openCluster(flags);
  if (!cluster.ok) {
    printFailure(world, cluster.failure, "text");
    return exitCodes.nothingDone;
  }
  const { value: simulator } = cluster;
  const path = resolve(
    flags.kubeconfig ?? join(tmpdir(), `connectors-simulator-${simulator.port}.yaml`),
  );
  const saved = await saveKubeconfig(path, simulator.kubeconfig());
  if (!saved.ok) {
    await simulator.close();
    printFailure(world, saved.failure, "text");
    return exitCodes.nothingDone;
  }
  world.out(`${path}\n`);
  if (flags.quiet !== true) {
    world.err(`a simulated cluster at ${simulator.url}, until Ctrl-C\n`);
    world.err(`next: KUBECONFIG=${path} kubectl -n web get pods\n`);
    world.err(
      `      connectors adapters add kubernetes sim --kubeconfig ${path} --namespaces web\n`,
    );
  }
  const { signal } = interruptible();
  await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
  await simulator.close();
  return exitCodes.ok;
}
