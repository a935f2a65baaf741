import type { AdapterFile } from "@connectors/domain";
import {
  openConnection,
  readConnectionFacts,
  readNodeEnvironment,
} from "@connectors/kubernetes-client/node";
import { fault, fine, type Finding } from "../output/findings.js";
import { hasTerminal } from "../terminal/question.js";
import type { World } from "../world/world.js";
import { findIntermediary, listAccessFindings, listFileFindings } from "./adapter-findings.js";

function compareIdentity(file: AdapterFile, username: string): Finding {
  const { provider } = file.probed;
  return username === provider.username
    ? fine("identity", username)
    : fault(
        "identity",
        `${username}, and was ${provider.username}`,
        "Add the adapter again if that is right; what was approved for the other is refused.",
      );
}

async function checkCluster(
  world: World,
  file: AdapterFile,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const source = file.connection;
  const connection = openConnection({ source, ambient: world.ambient, environment });
  try {
    const captured = await connection.capture({ signal });
    if (!captured.ok) return [fault("identity", captured.failure.message, captured.failure.hint)];
    try {
      return [
        compareIdentity(file, captured.value.username),
        ...(await findIntermediary(captured.value, signal)),
        ...(await listAccessFindings(captured.value, file, signal)),
      ];
    } finally {
      await captured.value[Symbol.asyncDispose]();
    }
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

/** What an adapter's files and its cluster say now, beside what they said when it was added. */
export async function checkAdapter(
  world: World,
  file: AdapterFile,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const source = file.connection;
  const facts = await readConnectionFacts({ source, environment: readNodeEnvironment() });
  if (!facts.ok) return [fault("files", facts.failure.message, facts.failure.hint)];
  const { provider } = file.probed;
  const moved = (["base_url", "tls_name", "trust_sha256"] as const)
    .filter((name) => facts.value.description[name] !== provider[name])
    .join(", ");
  const elsewhere = fault(
    "cluster",
    `${moved} changed since it was added`,
    "If that is right, add the adapter again; what was approved for the other is refused.",
  );
  return [
    ...listFileFindings(facts.value, world.ambient.clock.nowMs()),
    ...(moved === "" ? [] : [elsewhere]),
    ...(await checkCluster(world, file, signal)),
  ];
}
