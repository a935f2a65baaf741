import type { AdapterFile } from "@connectors/domain";
import {
  openConnection,
  readConnectionFacts,
  readNodeEnvironment,
} from "@connectors/kubernetes-client/node";
import type { Outcome } from "@connectors/sdk";
import { openState, readAdapterFiles } from "../composition/state.js";
import { exitCodes } from "../exit-code.js";
import { fault, fine, printFindings, type Finding } from "../output/findings.js";
import { printFailure } from "../output/print-failure.js";
import { formatRecord } from "../output/record.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import { readAdapterFile, removeAdapterFile } from "../state/adapter-files.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { findIntermediary, listAccessFindings, listFileFindings } from "./adapter-findings.js";

export { runAdaptersAdd } from "./adapters-add.js";

function end(world: World, failed: Outcome<unknown>, flags: CommonFlags): number {
  if (!failed.ok) printFailure(world, failed.failure, flags.output);
  return exitCodes.nothingDone;
}

/** Lists the adapters of this state directory. */
export async function runAdaptersList(world: World, flags: CommonFlags): Promise<number> {
  const state = await openState(world, flags);
  if (!state.ok) return end(world, state, flags);
  const files = await readAdapterFiles(state.value.directory, null);
  if (!files.ok) return end(world, files, flags);
  if (flags.output === "text") {
    const rows = files.value.map(({ name, adapter, probed, configuration }) => [
      name,
      adapter,
      probed.provider.base_url,
      probed.provider.username,
      configuration.namespaces.join(","),
      configuration.operations.join(",") || "-",
    ]);
    world.out(formatTable(["NAME", "KIND", "CLUSTER", "IDENTITY", "NAMESPACES", "WRITES"], rows));
  } else if (flags.output === "jsonl") {
    for (const file of files.value) world.out(`${JSON.stringify(file)}\n`);
  } else world.out(`${JSON.stringify(files.value)}\n`);
  return exitCodes.ok;
}

async function check(world: World, file: AdapterFile): Promise<readonly Finding[]> {
  const environment = readNodeEnvironment();
  const facts = await readConnectionFacts({ source: file.connection, environment });
  if (!facts.ok) return [fault("files", facts.failure.message, facts.failure.hint)];
  const found = [...listFileFindings(facts.value, world.ambient.clock.nowMs())];
  const { provider } = file.probed;
  const moved = (["base_url", "tls_name", "trust_sha256"] as const).filter(
    (name) => facts.value.description[name] !== provider[name],
  );
  if (moved.length > 0) {
    found.push(
      fault(
        "cluster",
        `${moved.join(", ")} changed since it was added`,
        "If that is right, add the adapter again.",
      ),
    );
  }
  const { signal } = interruptible();
  const connection = openConnection({
    source: file.connection,
    ambient: world.ambient,
    environment,
  });
  try {
    const captured = await connection.capture({ signal });
    if (!captured.ok) {
      return [...found, fault("identity", captured.failure.message, captured.failure.hint)];
    }
    const { username } = captured.value;
    found.push(
      username === provider.username
        ? fine("identity", username)
        : fault(
            "identity",
            `${username}, and was ${provider.username}`,
            "Add the adapter again if that is right.",
          ),
    );
    found.push(...(await findIntermediary(captured.value, signal)));
    found.push(...(await listAccessFindings(captured.value, file, signal)));
    await captured.value[Symbol.asyncDispose]();
    return found;
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

/** `show`, `check` or `remove` of one adapter. */
export async function runAdapter(
  world: World,
  verb: "show" | "check" | "remove",
  name: string,
  flags: CommonFlags,
): Promise<number> {
  const state = await openState(world, flags);
  if (!state.ok) return end(world, state, flags);
  const file = await readAdapterFile(state.value.directory, name);
  if (!file.ok) return end(world, file, flags);
  if (verb === "show") {
    world.out(
      flags.output === "text" ? formatRecord({ ...file.value }) : `${JSON.stringify(file.value)}\n`,
    );
    return exitCodes.ok;
  }
  if (verb === "check") {
    const sound = printFindings(world, await check(world, file.value), flags.output);
    return sound ? exitCodes.ok : exitCodes.nothingDone;
  }
  const removed = await removeAdapterFile(state.value.directory, name);
  if (flags.output === "text") world.out(`${name} is forgotten; its attempts stay in the ledger\n`);
  else world.out(`${JSON.stringify({ removed })}\n`);
  return exitCodes.ok;
}
