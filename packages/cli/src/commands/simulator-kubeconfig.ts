import { constants } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** The first line of every kubeconfig that is ours to overwrite. */
const mark = "# Written by `connectors simulate`, which overwrites it.\n";

/** Where the kubeconfig of a simulated cluster is. */
export interface SavedKubeconfig {
  readonly path: string;
  /** Removes what nobody named; a file that a person named stays. */
  remove(): Promise<void>;
}

async function saveTemporary(text: string): Promise<SavedKubeconfig> {
  const folder = await mkdtemp(join(tmpdir(), "connectors-simulator-"));
  const path = join(folder, "kubeconfig.yaml");
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Replaces only what an earlier simulator wrote: somebody's own kubeconfig is never lost. */
async function saveAt(path: string, text: string): Promise<Outcome<SavedKubeconfig>> {
  const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const handle = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const began = Buffer.alloc(mark.length);
    const { bytesRead } = await handle.read(began, 0, began.length, 0);
    if (bytesRead > 0 && began.toString("latin1", 0, bytesRead) !== mark) {
      return fail("lifecycle_conflict", "that file is somebody's own, and not overwritten", {
        hint: "Name another with --kubeconfig, or leave it out.",
      });
    }
    await handle.truncate(0);
    await handle.write(text, 0);
    await handle.chmod(0o600);
  } finally {
    await handle.close();
  }
  return succeed({ path, remove: () => Promise.resolve() });
}

/** Writes the kubeconfig to the named file, or to a new temporary one. */
export async function saveKubeconfig(
  named: string | undefined,
  kubeconfig: string,
): Promise<Outcome<SavedKubeconfig>> {
  const text = mark + kubeconfig;
  try {
    return named === undefined
      ? succeed(await saveTemporary(text))
      : await saveAt(resolve(named), text);
  } catch {
    return fail("unavailable", "the kubeconfig cannot be written", {
      hint: "Name an ordinary file in a folder that is there with --kubeconfig.",
    });
  }
}
