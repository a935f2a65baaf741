import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { parseHostFile } from "@connectors/domain";
import { encodePrivateKeyFile, makeSigningKey } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { toApproverName, toCaller } from "../composition/caller.js";
import type { OpenedHost } from "../composition/open-host.js";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { escapeLine } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { styleOf } from "../output/style.js";
import type { InitFlags } from "../program/setup-commands.js";
import { listCustodyKids, makeFileCustody } from "../state/file-custody.js";
import { createHostFile, readHostFile } from "../state/host-file.js";
import { locateState, openFolder } from "../state/state-directory.js";
import { askNewPassphrase } from "../terminal/new-passphrase.js";
import type { World } from "../world/world.js";

/** The folder, the host's id and an empty ledger, each made only where it is missing. */
async function makeState(world: World, directory: string): Promise<Outcome<void>> {
  const caller = toCaller(world);
  if (!caller.ok) return caller;
  const folder = await openFolder(directory);
  if (!folder.ok) return folder;
  const known = await readHostFile(directory);
  if (!known.ok) return known;
  if (known.value === null) {
    const file = parseHostFile({
      format: "connectors.host/1",
      id: `connectors.host/${randomUUID()}`,
      created_at: new Date(world.ambient.clock.nowMs()).toISOString(),
    });
    if (!file.ok) return fail("internal", "the host file does not fit its model");
    const made = await createHostFile(directory, file.value);
    if (!made.ok) return made;
  }
  const store = await openSqliteJournal({ directory, thread: "caller", ambient: world.ambient });
  if (!store.ok) return store;
  await store.value.journal.close();
  return succeed(undefined);
}

interface Approver {
  readonly name: string;
  readonly key: "made" | "kept";
  /** Whether the private half lies here, so that this user alone can do everything. */
  readonly held: boolean;
}

/** An approver's key for this user, unless the table has an active one of that name. */
async function ensureApprover(
  world: World,
  { host, directory }: OpenedHost,
  flags: InitFlags,
): Promise<Outcome<Approver>> {
  const name = toApproverName(world);
  if (!name.ok) return name;
  const approvers = await host.approvers.list();
  if (!approvers.ok) return approvers;
  const active = approvers.value.filter((row) => row.name === name.value && row.state === "active");
  if (active.length > 0) {
    const held = await listCustodyKids(directory);
    return succeed({
      name: name.value,
      key: "kept",
      held: active.some(({ kid }) => held.includes(kid)),
    });
  }
  const passphrase = flags.passphrase === true ? await askNewPassphrase(world) : succeed(null);
  if (!passphrase.ok) return passphrase;
  const key = makeSigningKey(world.ambient.random);
  // Custody first: a public key whose private half is nowhere would be an approver for nobody.
  const kept = await makeFileCustody(directory).write(
    key.kid,
    encodePrivateKeyFile(key, {
      approver: name.value,
      createdAtMs: world.ambient.clock.nowMs(),
      passphrase: passphrase.value,
    }),
  );
  if (!kept.ok) return kept;
  const added = await host.approvers.add({
    name: name.value,
    publicKey: key.publicKey,
    operations: ["*"],
    adapters: ["*"],
  });
  return added.ok ? succeed({ name: name.value, key: "made", held: true }) : added;
}

const attended =
  "this user holds the credential, the ledger and the approver's key.\n" +
  "It stops mistakes and records everything; it cannot stop a program that runs as this user.\n";

const keyWords = { made: "a new key", kept: "the key that was there" } as const;

function tell(world: World, opened: OpenedHost, approver: Approver, flags: InitFlags): void {
  const { directory, hostFile } = opened;
  const { name, key, held } = approver;
  if (flags.output !== "text") {
    const separation = held ? "none" : "key";
    printJson(world, { state: directory, host: hostFile.id, approver: name, key, separation });
    return;
  }
  const style = styleOf(world);
  world.out(`state     ${escapeLine(directory)}\n`);
  world.out(`host      ${hostFile.id} on ${escapeLine(hostname())}\n`);
  world.out(`approver  ${name} (${keyWords[key]})\n`);
  if (flags.quiet === true) return;
  if (held) world.err(`\n${style.yellow("Attended mode:")} ${attended}`);
  world.err(
    `\n${style.dim("next:")} connectors adapters add kubernetes NAME --namespaces a,b --allow deployment.rollout_restart\n`,
  );
}

/** Makes a state directory, or completes one; changes nothing that is there. */
export async function runInit(world: World, flags: InitFlags): Promise<number> {
  const made = await makeState(world, locateState(world, flags.state));
  if (!made.ok) return finish(world, flags.output, made);
  return withHost(world, flags, "none", async (opened) => {
    const approver = await ensureApprover(world, opened, flags);
    if (!approver.ok) return approver;
    tell(world, opened, approver.value, flags);
    return succeed(exitCodes.ok);
  });
}
