import { operationDeclarations, type Kid } from "@connectors/domain";
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
  /** Kids that the host's table holds as active; null when it is not asked (another host's file). */
  readonly active: readonly Kid[] | null;
}

/** The key that this user signs with, opened; asks for its passphrase when it has one. */
export async function openSigningKey(
  world: World,
  choice: KeyChoice,
  signal: AbortSignal,
): Promise<Outcome<OpenedKey>> {
  const custody = makeFileCustody(choice.directory);
  const held = await listCustodyKids(choice.directory);
  const { active } = choice;
  const usable = active === null ? held : active.filter((kid) => held.includes(kid));
  const kid = usable[0];
  if (kid === undefined) {
    return fail("not_found", "no usable approval key lies in this state directory", {
      hint: "`connectors keys list` shows their states; `connectors init` makes one where there is none.",
    });
  }
  const bytes = await custody.read(kid);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return fail("not_found", "the approval key is gone");
  const file = parsePrivateKeyBytes(bytes.value);
  if (!file.ok) return file;
  if (!file.value.encrypted) return openPrivateKey(file.value, null);
  const reply = await askLine(world, "Passphrase of the approval key: ", { signal, hidden: true });
  if (reply.kind === "gone") {
    return fail("approval_required", "the approval key has a passphrase and nobody gave it");
  }
  return openPrivateKey(file.value, reply.text);
}

/** The clusters that this state directory knows, by the names it gave them. */
export async function listKnownClusters(
  directory: string,
): Promise<Outcome<readonly KnownCluster[]>> {
  const files = await readAdapterFiles(directory, null);
  if (!files.ok) return files;
  return succeed(files.value.map(({ name, probed }) => ({ name, ...probed.provider })));
}

/** An approver that shows the frozen bytes on the terminal, asks one question, and signs. */
export async function makeTerminalApprover(
  world: World,
  choice: KeyChoice & { readonly acceptCluster: boolean; readonly signal: AbortSignal },
): Promise<Outcome<Approver>> {
  const clusters = await listKnownClusters(choice.directory);
  if (!clusters.ok) return clusters;
  const key = await openSigningKey(world, choice, choice.signal);
  if (!key.ok) return key;
  const style = styleOf(world);
  return succeed(
    makeKeyApprover({
      key: key.value,
      view: { declarations: operationDeclarations, clusters: clusters.value },
      ambient: world.ambient,
      acceptUnknownCluster: choice.acceptCluster,
      async confirm(lines, signal) {
        world.err(`\n${style.bold("This is exactly what would be done:")}\n\n`);
        world.err(lines.map((line) => `  ${line}\n`).join(""));
        world.err("\n");
        const answer = await confirmOnTerminal(world, "Approve this effect? [y/N] ", signal);
        return answer === "yes";
      },
    }),
  );
}
