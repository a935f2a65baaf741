import { operationDeclarations, parseAdapterFile, type AdapterFile } from "@connectors/domain";
import { openConnection, readNodeEnvironment } from "@connectors/kubernetes-client/node";
import { fail, succeed, type CapturedConnection, type Outcome } from "@connectors/sdk";
import { toApproverName, toCaller } from "../composition/caller.js";
import { withHost } from "../composition/open-host.js";
import { openState } from "../composition/state.js";
import { exitCodes } from "../exit-code.js";
import { didYouMean } from "../output/did-you-mean.js";
import { printFindings, type Finding } from "../output/findings.js";
import { printFailure } from "../output/print-failure.js";
import type { AddFlags } from "../program/setup-commands.js";
import { listAdapterNames, readAdapterFile, writeAdapterFile } from "../state/adapter-files.js";
import { hasTerminal } from "../terminal/question.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { findIntermediary, listAccessFindings, listFileFindings } from "./adapter-findings.js";
import { chooseSource, type ChosenSource } from "./adapter-source.js";
import { allowOperations } from "./allow-rules.js";
import { makeIdempotencyKey } from "./idempotency-key.js";

const writes = operationDeclarations
  .filter(({ profile }) => profile === "mutation")
  .map(({ id }) => id);

function checkWords(kind: string, flags: AddFlags): Outcome<void> {
  if (kind !== "kubernetes") {
    return fail(
      "unsupported",
      `there is no such kind of adapter.${didYouMean(kind, ["kubernetes"])}`,
      {
        hint: "The kind is kubernetes.",
      },
    );
  }
  const unknown = flags.allow.find((operation) => !writes.some((id) => id === operation));
  if (unknown !== undefined) {
    return fail("invalid_input", `--allow names no write.${didYouMean(unknown, writes)}`, {
      hint: `The writes are ${writes.join(", ")}.`,
    });
  }
  return succeed(undefined);
}

/** The adapter's file, from the flags, what the files say and who the cluster says we are. */
function makeFile(
  name: string,
  flags: AddFlags,
  { source, facts }: ChosenSource,
  probe: { readonly username: string; readonly atMs: number },
): Outcome<AdapterFile> {
  const file = parseAdapterFile({
    format: "connectors.adapter/1",
    adapter: "kubernetes",
    name,
    connection: source,
    configuration: {
      namespaces: flags.namespaces,
      operations: [...new Set(flags.allow)],
      exec_subprotocols: flags.execSubprotocols ?? ["v4"],
      // Whatever is claimed: a proxy may send a request again.
      intermediary: facts.proxied ? "may_resend" : (flags.intermediary ?? "none"),
    },
    probed: {
      provider: { ...facts.description, username: probe.username },
      at_ms: probe.atMs,
    },
  });
  if (file.ok) return succeed(file.value);
  const [issue] = file.issues;
  return fail(
    "invalid_input",
    `the adapter does not fit its model: ${issue?.path} ${issue?.message}`,
  );
}

function listChanges(before: AdapterFile | null, after: AdapterFile): readonly string[] {
  if (before === null) return [];
  const flat = (file: AdapterFile): ReadonlyMap<string, string> =>
    new Map([
      ["connection", JSON.stringify(file.connection)],
      ...Object.entries(file.configuration).map(
        ([name, value]) => [name, JSON.stringify(value)] as const,
      ),
      ...Object.entries(file.probed.provider).map(([name, value]) => [name, value] as const),
    ]);
  const old = flat(before);
  return [...flat(after)]
    .filter(([name, value]) => old.get(name) !== value)
    .map(([name, value]) => `${name}: ${old.get(name)} → ${value}`);
}

async function probe(
  world: World,
  captured: CapturedConnection,
  file: Pick<AdapterFile, "configuration">,
  { facts, signal }: { readonly facts: ChosenSource["facts"]; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  return [
    ...listFileFindings(facts, world.ambient.clock.nowMs()),
    { name: "identity", level: "ok", detail: captured.username, hint: null },
    ...(await findIntermediary(captured, signal)),
    ...(await listAccessFindings(captured, file, signal)),
  ];
}

interface Added {
  readonly file: AdapterFile;
  readonly findings: readonly Finding[];
  readonly changes: readonly string[];
  readonly policyChanged: boolean;
}

async function add(
  world: World,
  directory: string,
  name: string,
  flags: AddFlags,
): Promise<Outcome<Omit<Added, "policyChanged">>> {
  const chosen = await chooseSource(flags);
  if (!chosen.ok) return chosen;
  const { signal } = interruptible();
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const { source } = chosen.value;
  const connection = openConnection({ source, ambient: world.ambient, environment });
  try {
    const captured = await connection.capture({ signal });
    if (!captured.ok) return captured;
    try {
      const { username } = captured.value;
      const atMs = world.ambient.clock.nowMs();
      const file = makeFile(name, flags, chosen.value, { username, atMs });
      if (!file.ok) return file;
      const known = (await listAdapterNames(directory)).includes(name);
      const before = known ? await readAdapterFile(directory, name) : succeed(null);
      const { facts } = chosen.value;
      const findings = await probe(world, captured.value, file.value, { facts, signal });
      const saved = await writeAdapterFile(
        directory,
        file.value,
        makeIdempotencyKey(world.ambient),
      );
      if (!saved.ok) return saved;
      const changes = listChanges(before.ok ? before.value : null, file.value);
      return succeed({ file: file.value, findings, changes });
    } finally {
      await captured.value[Symbol.asyncDispose]();
    }
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

function tell(
  world: World,
  { file, findings, changes, policyChanged }: Added,
  flags: AddFlags,
): void {
  if (flags.output !== "text") {
    world.out(
      `${JSON.stringify({ adapter: file, findings, changes, policy_changed: policyChanged })}\n`,
    );
    return;
  }
  printFindings(world, findings, "text");
  for (const change of changes) world.out(`changed ${change}\n`);
  world.out(
    `adapter ${file.name}: ${file.probed.provider.username} at ${file.probed.provider.base_url}\n`,
  );
  if (flags.quiet === true) return;
  if (policyChanged) world.err("the policy changed: every unspent approval is void\n");
  if (file.configuration.operations.length === 0) {
    world.err("no write is turned on; --allow deployment.rollout_restart turns one on\n");
  }
  world.err(`next: connectors operations ${file.name}\n`);
}

/** Probes a cluster, writes its configuration, and adds the rules of `--allow`. */
export async function runAdaptersAdd(
  world: World,
  kind: string,
  name: string,
  flags: AddFlags,
): Promise<number> {
  const end = (failed: Outcome<unknown>, code: number): number => {
    if (!failed.ok) printFailure(world, failed.failure, flags.output);
    return code;
  };
  const words = checkWords(kind, flags);
  if (!words.ok) return end(words, exitCodes.usage);
  const parties = { caller: toCaller(world), approver: toApproverName(world) };
  if (!parties.caller.ok) return end(parties.caller, exitCodes.nothingDone);
  if (!parties.approver.ok) return end(parties.approver, exitCodes.nothingDone);
  const { caller, approver } = { caller: parties.caller.value, approver: parties.approver.value };
  const state = await openState(world, flags);
  if (!state.ok) return end(state, exitCodes.nothingDone);
  const added = await add(world, state.value.directory, name, flags);
  if (!added.ok) return end(added, exitCodes.nothingDone);
  return withHost(world, flags, { only: name }, async ({ host }) => {
    const allowed = await allowOperations(host, added.value.file, { caller, approver });
    if (!allowed.ok) return end(allowed, exitCodes.nothingDone);
    tell(world, { ...added.value, policyChanged: allowed.value }, flags);
    return exitCodes.ok;
  });
}
