import type { Approver } from "@connectors/domain";
import { encodePrivateKeyFile, makeSigningKey } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { toApproverName } from "../composition/caller.js";
import { withHost, type OpenedHost } from "../composition/open-host.js";
import type { CommonFlags } from "../program/flags.js";
import { listCustodyKids, makeFileCustody } from "../state/file-custody.js";
import { askNewPassphrase } from "../terminal/new-passphrase.js";
import type { World } from "../world/world.js";
import { printApprovers } from "./approvers.js";

/** Lists the keys whose private half lies in this state directory. */
export async function runKeysList(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host, directory }) => {
    const listed = await host.approvers.list();
    if (!listed.ok) return printApprovers(world, listed, flags);
    const held = await listCustodyKids(directory);
    const rows = listed.value.filter((row) => held.includes(row.kid));
    return printApprovers(world, succeed(rows), flags);
  });
}

async function rotate(
  world: World,
  { host, directory }: OpenedHost,
  passphraseWanted: boolean,
): Promise<Outcome<readonly Approver[]>> {
  const name = toApproverName(world);
  if (!name.ok) return name;
  const listed = await host.approvers.list();
  if (!listed.ok) return listed;
  const held = await listCustodyKids(directory);
  const old = listed.value.find(
    (row) => row.name === name.value && row.state === "active" && held.includes(row.kid),
  );
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
  const kept = await makeFileCustody(directory).write(key.kid, file);
  if (!kept.ok) return kept;
  const rotated = await host.approvers.rotate(old.kid, key.publicKey);
  return rotated.ok ? succeed([rotated.value]) : rotated;
}

/** Makes a new key with the old one's rights, and retires the old one. */
export async function runKeysRotate(
  world: World,
  flags: CommonFlags & { readonly passphrase?: boolean },
): Promise<number> {
  return withHost(world, flags, "none", async (opened) =>
    printApprovers(world, await rotate(world, opened, flags.passphrase === true), flags),
  );
}

/** Ends a key at once; its file is forgotten too when it lies here. */
export async function runKeysRevoke(
  world: World,
  kid: string,
  flags: CommonFlags,
): Promise<number> {
  return withHost(world, flags, "none", async ({ host, directory }) => {
    const revoked = await host.approvers.revoke(kid);
    if (!revoked.ok) return printApprovers(world, revoked, flags);
    const forgotten = await makeFileCustody(directory).remove(revoked.value.kid);
    if (!forgotten.ok) return printApprovers(world, forgotten, flags);
    return printApprovers(world, succeed([revoked.value]), flags);
  });
}
