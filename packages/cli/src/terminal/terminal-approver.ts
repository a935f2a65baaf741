import { operationDeclarations, type Kid, type PrivateKeyFile } from "@connectors/domain";
import {
  makeKeyApprover,
  openPrivateKey,
  parsePrivateKeyBytes,
  type KnownCluster,
  type OpenedKey,
} from "@connectors/runtime";
import { fail, succeed, type Approver, type Outcome } from "@connectors/sdk";
import { readAdapterFiles } from "../composition/state.js";
import { styleOf } from "../output/style.js";
import { listCustodyKids, makeFileCustody } from "../state/file-custody.js";
import type { World } from "../world/world.js";
import { askLine, confirmOnTerminal } from "./question.js";

/** Which keys this user could sign with: the ids of the host's active ones, newest first. */
export interface KeyChoice {
  readonly directory: string;
  readonly active: readonly Kid[];
}

/** The newest active key that lies in this state directory. */
async function findSigningKey({ directory, active }: KeyChoice): Promise<Outcome<PrivateKeyFile>> {
  const held = await listCustodyKids(directory);
  const kid = active.find((candidate) => held.includes(candidate));
  if (kid === undefined) {
    return fail("not_found", "no usable approval key lies in this state directory", {
      hint: "`connectors keys list` shows their states; `connectors init` makes one where there is none.",
    });
  }
  const bytes = await makeFileCustody(directory).read(kid);
  if (!bytes.ok) return bytes;
  return bytes.value === null
    ? fail("not_found", "the approval key is gone")
    : parsePrivateKeyBytes(bytes.value);
}

/** The key in a file; asks for its passphrase when it has one. */
async function openSigningKey(
  world: World,
  file: PrivateKeyFile,
  signal: AbortSignal,
): Promise<Outcome<OpenedKey>> {
  if (!file.encrypted) return openPrivateKey(file, null);
  const question = "Passphrase of the approval key: ";
  const reply = await askLine(world, question, { signal, hidden: true });
  switch (reply.kind) {
    case "interrupted":
      return fail("interrupted", "it was interrupted while it asked for the passphrase");
    case "gone":
      return fail("approval_required", "the approval key has a passphrase and nobody gave it", {
        hint: "Run it again and type the passphrase that `init` or `keys rotate` asked for.",
      });
    case "line":
      return openPrivateKey(file, reply.text);
  }
}

/** The clusters that this state directory knows, by the names it gave them. */
export async function listKnownClusters(
  directory: string,
): Promise<Outcome<readonly KnownCluster[]>> {
  const files = await readAdapterFiles(directory, null);
  if (!files.ok) return files;
  return succeed(files.value.map(({ name, probed }) => ({ name, ...probed.provider })));
}

/**
 * An approver that shows the frozen bytes on the terminal, asks one question, and signs; the key's
 * passphrase is asked for only when the answer was yes.
 */
export async function makeTerminalApprover(
  world: World,
  choice: KeyChoice & { readonly acceptCluster: boolean },
): Promise<Outcome<Approver>> {
  const clusters = await listKnownClusters(choice.directory);
  if (!clusters.ok) return clusters;
  const file = await findSigningKey(choice);
  if (!file.ok) return file;
  const style = styleOf(world);
  return succeed(
    makeKeyApprover({
      key: (signal) => openSigningKey(world, file.value, signal),
      view: { declarations: operationDeclarations, clusters: clusters.value },
      ambient: world.ambient,
      acceptUnknownCluster: choice.acceptCluster,
      async confirm(lines, signal) {
        world.err(`\n${style.bold("This is exactly what would be done:")}\n\n`);
        world.err(lines.map((line) => `  ${line}\n`).join(""));
        world.err("\n");
        return (await confirmOnTerminal(world, "Approve this effect? [y/N] ", signal)) === "yes";
      },
    }),
  );
}
