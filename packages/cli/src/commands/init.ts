import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { parseHostFile } from "@connectors/domain";
import { encodePrivateKeyFile, makeSigningKey } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { toApproverName } from "../composition/caller.js";
import { withHost, type OpenedHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { printFailure } from "../output/print-failure.js";
import { styleOf } from "../output/style.js";
import type { InitFlags } from "../program/setup-commands.js";
import { makeFileCustody } from "../state/file-custody.js";
import { createHostFile, readHostFile } from "../state/host-file.js";
import { locateState, openFolder } from "../state/state-directory.js";
import { askNewPassphrase } from "../terminal/new-passphrase.js";
import type { World } from "../world/world.js";

/** The folder, the host's id and an empty ledger, each made only where it is missing. */
async function makeState(world: World, directory: string): Promise<Outcome<void>> {
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

/** An approver's key for this user, unless the table has an active one of that name. */
async function ensureApprover(
  world: World,
  opened: OpenedHost,
  flags: InitFlags,
): Promise<Outcome<"made" | "kept">> {
  const name = toApproverName(world);
  if (!name.ok) return name;
  const { host, directory } = opened;
  const approvers = await host.approvers.list();
  if (!approvers.ok) return approvers;
  const active = approvers.value.some((row) => row.name === name.value && row.state === "active");
  if (active) return succeed("kept");
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
  return added.ok ? succeed("made") : added;
}

function tell(world: World, opened: OpenedHost, approver: "made" | "kept", flags: InitFlags): void {
  const facts = {
    state: opened.directory,
    host: opened.hostFile.id,
    approver: world.userName,
    key: approver,
    separation: "none",
  };
  if (flags.output !== "text") {
    world.out(`${JSON.stringify(facts)}\n`);
    return;
  }
  const style = styleOf(world);
  world.out(`state     ${opened.directory}\n`);
  world.out(`host      ${opened.hostFile.id} on ${hostname()}\n`);
  world.out(
    `approver  ${facts.approver} (${approver === "made" ? "a new key" : "the key that was there"})\n`,
  );
  if (flags.quiet === true) return;
  world.err(
    `\n${style.yellow("Attended mode:")} this user holds the credential, the ledger and the approver's key.\n` +
      "It stops mistakes and records everything; it cannot stop a program that runs as this user.\n" +
      `\n${style.dim("next:")} connectors adapters add kubernetes NAME --namespaces a,b --allow deployment.rollout_restart\n`,
  );
}

/** Makes a state directory, or completes one; changes nothing that is there. */
export async function runInit(world: World, flags: InitFlags): Promise<number> {
  const made = await makeState(world, locateState(world, flags.state));
  if (!made.ok) {
    printFailure(world, made.failure, flags.output);
    return exitCodes.nothingDone;
  }
  return withHost(world, flags, "none", async (opened) => {
    const approver = await ensureApprover(world, opened, flags);
    if (!approver.ok) {
      printFailure(world, approver.failure, flags.output);
      return exitCodes.nothingDone;
    }
    tell(world, opened, approver.value, flags);
    return exitCodes.ok;
  });
}
