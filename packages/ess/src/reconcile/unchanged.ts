import { sha256Of } from "../ir/sha256.js";
import type { Manifest } from "./manifest.js";

/** What is on disk now, as far as a manifest can speak of it. */
export interface Present {
  readonly generator: string;
  readonly inputs: ReadonlyMap<string, string>;
  /** Generated folders' files by path, the manifest left out. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly headings: ReadonlyMap<string, readonly string[] | undefined>;
}

/** True when nothing that a run reads or writes differs from what `manifest` remembers. */
export function isUnchanged(manifest: Manifest, present: Present): boolean {
  return (
    manifest.generator === present.generator &&
    sameDigests(manifest.inputs, present.inputs) &&
    sameDigests(
      manifest.outputs,
      new Map([...present.outputs].map(([path, text]) => [path, sha256Of(text)])),
    ) &&
    manifest.owners.every(({ file, heading }) => {
      const headings = present.headings.get(file);
      return headings !== undefined && (heading === undefined || headings.includes(heading));
    })
  );
}

function sameDigests(
  remembered: Readonly<Record<string, string>>,
  present: ReadonlyMap<string, string>,
): boolean {
  const entries = Object.entries(remembered);
  return (
    entries.length === present.size &&
    entries.every(([path, digest]) => present.get(path) === digest)
  );
}
