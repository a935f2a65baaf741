import type { OwnerIr } from "../ir/ir.js";
import { sha256Of } from "../ir/sha256.js";

/** What a run read and wrote, by digest, so that the next one can see that nothing changed. */
export interface Manifest {
  /** The digest of the generator's own source. */
  readonly generator: string;
  /** The model files. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The headings that the models name as owners. */
  readonly owners: readonly OwnerIr[];
  /** The folders that hold nothing but generated files. */
  readonly folders: readonly string[];
  /** The generated files, without the manifest. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The manifest's text. */
export function encodeManifest(manifest: Manifest): string {
  return `${JSON.stringify({ format: "ess-manifest/1", ...manifest }, undefined, 2)}\n`;
}

/** The manifest in `text`; undefined for anything that this version did not write. */
export function decodeManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A manifest that cannot be read is as good as none: everything is generated again.
    return undefined;
  }
  if (!isRecord(value) || value["format"] !== "ess-manifest/1") return undefined;
  const { generator, inputs, owners, folders, outputs } = value;
  if (typeof generator !== "string" || !isDigests(inputs) || !isDigests(outputs)) return undefined;
  if (!Array.isArray(owners) || !owners.every(isOwner)) return undefined;
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === "string")) {
    return undefined;
  }
  return { generator, inputs, owners, folders, outputs };
}

/** Each file's digest, by path. */
export function digestsOf(files: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const sorted = [...files].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, text]) => [path, sha256Of(text)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDigests(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((digest) => typeof digest === "string");
}

function isOwner(value: unknown): value is OwnerIr {
  if (!isRecord(value) || typeof value["file"] !== "string") return false;
  return value["heading"] === undefined || typeof value["heading"] === "string";
}
