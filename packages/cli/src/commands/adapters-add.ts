import {
  operationDeclarations,
  parseAdapterFile,
  type AdapterFile,
  type Parsed,
} from "@connectors/domain";
import { openConnection, readNodeEnvironment } from "@connectors/kubernetes-client/node";
import { fail, succeed, type CapturedConnection, type Outcome } from "@connectors/sdk";
import { toApproverName, toCaller } from "../composition/caller.js";
import { openState } from "../composition/state.js";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { didYouMean } from "../output/did-you-mean.js";
import { escapeLine } from "../output/escape.js";
import { fine, printFindings, type Finding } from "../output/findings.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { withProgress } from "../output/progress.js";
import type { AddFlags } from "../program/adapter-commands.js";
import { listAdapterNames, readAdapterFile, writeAdapterFile } from "../state/adapter-files.js";
import { hasTerminal } from "../terminal/question.js";
import { failUsage } from "../usage-failure.js";
import type { World } from "../world/world.js";
import { listAdapterChanges } from "./adapter-changes.js";
import { findIntermediary, listAccessFindings, listFileFindings } from "./adapter-findings.js";
import { chooseSource, type ChosenSource } from "./adapter-source.js";
import { allowOperations, type AllowParties, type PolicyChange } from "./allow-rules.js";
import { makeIdempotencyKey } from "./idempotency-key.js";

const kinds = ["kubernetes"];
const writes: readonly string[] = operationDeclarations
  .filter(({ profile }) => profile === "mutation")
  .map(({ id }) => id);

function checkWords(kind: string, { allow = [] }: AddFlags): Outcome<void> {
  if (!kinds.includes(kind)) {
    return failUsage("unsupported", `there is no such kind of adapter.${didYouMean(kind, kinds)}`, {
      hint: `The kind is ${kinds.join(", ")}.`,
    });
  }
  const unknown = allow.find((operation) => !writes.includes(operation));
  if (unknown === undefined) return succeed(undefined);
  return failUsage("invalid_input", `--allow names no write.${didYouMean(unknown, writes)}`, {
    hint: `The writes are ${writes.join(", ")}.`,
  });
}

/** What the model says of an adapter's file, with the flag that brought what does not fit. */
function acceptFile(parsed: Parsed<AdapterFile>): Outcome<AdapterFile> {
  if (parsed.ok) return parsed;
  const [issue] = parsed.issues;
  return fail(
    "invalid_input",
    `the adapter does not fit its model: ${issue?.path ?? ""} ${issue?.message ?? ""}`,
    { hint: "Names and namespaces are lower case, of letters, digits and `-`." },
  );
}

/** The adapter's file, from the flags, what the files say and who the cluster says we are. */
function makeFile(
  name: string,
  flags: AddFlags,
  { source, facts }: ChosenSource,
  probe: { readonly username: string; readonly atMs: number },
): Outcome<AdapterFile> {
  return acceptFile(
    parseAdapterFile({
      format: "connectors.adapter/1",
      adapter: "kubernetes",
      name,
      connection: source,
      configuration: {
        namespaces: [...new Set(flags.namespaces)],
        operations: [...new Set(flags.allow ?? [])],
        exec_subprotocols: [...new Set(flags.execSubprotocols ?? ["v4"])],
        // Whatever is claimed: a proxy may send a request again.
        intermediary: facts.proxied ? "may_resend" : (flags.intermediary ?? "none"),
      },
      probed: {
        provider: { ...facts.description, username: probe.username },
        at_ms: probe.atMs,
      },
    }),
  );
}

interface Probed {
  readonly file: AdapterFile;
  readonly findings: readonly Finding[];
}

async function probe(
  world: World,
  name: string,
  flags: AddFlags,
  chosen: ChosenSource & { readonly captured: CapturedConnection },
): Promise<Outcome<Probed>> {
  const { captured, facts } = chosen;
  const { username } = captured;
  const { signal } = world.interrupt;
  const atMs = world.ambient.clock.nowMs();
  const file = makeFile(name, flags, chosen, { username, atMs });
  if (!file.ok) return file;
  const findings = [
    ...listFileFindings(facts, atMs),
    fine("identity", username),
    ...(await findIntermediary(captured, signal)),
    ...(await listAccessFindings(captured, file.value, signal)),
  ];
  return signal.aborted
    ? fail("interrupted", "it was interrupted while it asked the cluster; nothing was written")
    : succeed({ file: file.value, findings });
}

async function connectAndProbe(
  world: World,
  name: string,
  flags: AddFlags,
): Promise<Outcome<Probed>> {
  const chosen = await chooseSource(flags);
  if (!chosen.ok) return chosen;
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const { source } = chosen.value;
  const connection = openConnection({ source, ambient: world.ambient, environment });
  try {
    const captured = await connection.capture({ signal: world.interrupt.signal });
    if (!captured.ok) return captured;
    try {
      return await probe(world, name, flags, { ...chosen.value, captured: captured.value });
    } finally {
      await captured.value[Symbol.asyncDispose]();
    }
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

/** What the new file changes; null for a name that is new. */
async function describeReplacement(
  directory: string,
  file: AdapterFile,
): Promise<readonly string[] | null> {
  if (!(await listAdapterNames(directory)).includes(file.name)) return null;
  const before = await readAdapterFile(directory, file.name);
  return before.ok
    ? listAdapterChanges(before.value, file)
    : ["the file that was there could not be read, and is replaced"];
}

interface Added extends Probed {
  readonly changes: readonly string[] | null;
  readonly policy: PolicyChange | null;
}

function tell(world: World, { file, findings, changes, policy }: Added, flags: AddFlags): void {
  if (flags.output !== "text") {
    printJson(world, {
      adapter: file,
      findings,
      changes: changes ?? [],
      policy_changed: policy !== null,
    });
    return;
  }
  printFindings(world, findings, "text");
  for (const change of changes ?? []) world.out(`changed ${escapeLine(change)}\n`);
  for (const rule of policy?.added ?? []) world.out(`allowed ${escapeLine(rule)}\n`);
  for (const rule of policy?.removed ?? []) world.out(`no longer allowed ${escapeLine(rule)}\n`);
  const { name, probed, configuration } = file;
  const { username, base_url } = probed.provider;
  const how = changes === null ? "added" : changes.length === 0 ? "unchanged" : "replaced";
  world.out(`adapter ${name} is ${how}: ${escapeLine(username)} at ${escapeLine(base_url)}\n`);
  if (flags.quiet === true) return;
  if (policy !== null) world.err("the policy changed: every unspent approval is void\n");
  if (configuration.operations.length === 0) {
    world.err("no write is turned on; --allow deployment.rollout_restart turns one on\n");
  }
  world.err(`next: connectors operations ${name}\n`);
}

function readParties(world: World): Outcome<AllowParties> {
  const caller = toCaller(world);
  if (!caller.ok) return caller;
  const approver = toApproverName(world);
  return approver.ok ? succeed({ caller: caller.value, approver: approver.value }) : approver;
}

/** Probes a cluster, writes its configuration, and adds the rules of `--allow`. */
export async function runAdaptersAdd(
  world: World,
  kind: string,
  name: string,
  flags: AddFlags,
): Promise<number> {
  const words = checkWords(kind, flags);
  if (!words.ok) return finish(world, flags.output, words);
  const parties = readParties(world);
  if (!parties.ok) return finish(world, flags.output, parties);
  const state = await openState(world, flags);
  if (!state.ok) return finish(world, flags.output, state);
  const { directory } = state.value;
  const probed = await withProgress(world, flags, "asking the cluster who this is", () =>
    connectAndProbe(world, name, flags),
  );
  if (!probed.ok) return finish(world, flags.output, probed);
  const { file } = probed.value;
  const changes = await describeReplacement(directory, file);
  const saved = await writeAdapterFile(directory, file, makeIdempotencyKey(world.ambient));
  if (!saved.ok) return finish(world, flags.output, saved);
  return withHost(world, flags, { only: name }, async ({ host }) => {
    const policy = await allowOperations(host, file, parties.value);
    if (!policy.ok) return policy;
    tell(world, { ...probed.value, changes, policy: policy.value }, flags);
    return succeed(exitCodes.ok);
  });
}
