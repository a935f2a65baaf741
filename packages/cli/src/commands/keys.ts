import type { Approver } from "@connectors/domain";
import { encodePrivateKeyFile, makeSigningKey } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { toApproverName } from "../composition/caller.js";
import type { OpenedHost } from "../composition/open-host.js";
import { didYouMean } from "../output/did-you-mean.js";
import type { CommonFlags } from "../program/flags.js";
import { listCustodyKids, makeFileCustody } from "../state/file-custody.js";
import { askNewPassphrase } from "../terminal/new-passphrase.js";
import type { World } from "../world/world.js";
import { showApprovers } from "./approvers.js";

/** The approvers' rows whose private half lies in this state directory. */
async function listHeld({ host, directory }: OpenedHost): Promise<Outcome<readonly Approver[]>> {
  const listed = await host.approvers.list();
  if (!listed.ok) return listed;
  const held = await listCustodyKids(directory);
  return succeed(listed.value.filter((row) => held.includes(row.kid)));
}

/** Lists the keys whose private half lies in this state directory. */
export function runKeysList(world: World, flags: CommonFlags): Promise<number> {
  return showApprovers(world, flags, listHeld);
}

async function rotate(
  world: World,
  opened: OpenedHost,
  passphraseWanted: boolean,
): Promise<Outcome<readonly Approver[]>> {
  const name = toApproverName(world);
  if (!name.ok) return name;
  const held = await listHeld(opened);
  if (!held.ok) return held;
  const old = held.value.find((row) => row.name === name.value && row.state === "active");
  if (old === undefined) {
    return fail("not_found", "this user has no active key here", {
      hint: "`connectors init` makes one.",
    });
  }
  const passphrase = passphraseWanted ? await askNewPassphrase(world) : succeed(null);
  if (!passphrase.ok) return passphrase;
  const key = makeSigningKey(world.ambient.random);
  const file = encodePrivateKeyFile(key, {
    approver: name.value,
    createdAtMs: world.ambient.clock.nowMs(),
    passphrase: passphrase.value,
  });
  // Custody first: a public key whose private half is nowhere would be an approver for nobody.
  const kept = await makeFileCustody(opened.directory).write(key.kid, file);
  if (!kept.ok) return kept;
  const rotated = await opened.host.approvers.rotate(old.kid, key.publicKey);
  return rotated.ok ? succeed([rotated.value]) : rotated;
}

/** Makes a new key with the old one's rights, and retires the old one. */
export function runKeysRotate(
  world: World,
  flags: CommonFlags & { readonly passphrase?: boolean },
): Promise<number> {
  return showApprovers(world, flags, (opened) => rotate(world, opened, flags.passphrase === true));
}

/** Ends a key at once; its file is forgotten too when it lies here. */
export function runKeysRevoke(world: World, kid: string, flags: CommonFlags): Promise<number> {
  return showApprovers(world, flags, async ({ host, directory }) => {
    const listed = await host.approvers.list();
    if (!listed.ok) return listed;
    const kids = listed.value.map((row) => row.kid);
    if (!kids.some((known) => known === kid)) {
      return fail("not_found", `there is no key of that id.${didYouMean(kid, kids)}`, {
        hint: "`connectors keys list` and `connectors approvers list` show them.",
      });
    }
    const revoked = await host.approvers.revoke(kid);
    if (!revoked.ok) return revoked;
    const forgotten = await makeFileCustody(directory).remove(revoked.value.kid);
    return forgotten.ok ? succeed([revoked.value]) : forgotten;
  });
}
