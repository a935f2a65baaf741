import { join } from "node:path";
import {
  encodeCanonicalAdapterFile,
  jsonDepthMax,
  parseAdapterFile,
  parseName,
  stateFileBytesMax,
  type AdapterFile,
} from "@connectors/domain";
import { fail, parseJson, succeed, type Outcome } from "@connectors/sdk";
import { didYouMean } from "../output/did-you-mean.js";
import { readPrivateFile, removeFile, replacePrivateFile } from "./private-file.js";
import { listFolder, openFolder } from "./state-directory.js";

const folder = (directory: string): string => join(directory, "adapters");

/** The names of the configured adapters, sorted. */
export async function listAdapterNames(directory: string): Promise<readonly string[]> {
  const files = await listFolder(folder(directory));
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .filter((name) => parseName(name).ok);
}

/** One adapter's configuration; `not_found` with the nearest name when it is not there. */
export async function readAdapterFile(
  directory: string,
  name: string,
): Promise<Outcome<AdapterFile>> {
  const known = await listAdapterNames(directory);
  if (!known.includes(name)) {
    return fail("not_found", `there is no adapter of that name here.${didYouMean(name, known)}`, {
      hint:
        known.length === 0
          ? "Add one: `connectors adapters add kubernetes NAME --namespaces a,b`."
          : `There is ${known.join(", ")}.`,
    });
  }
  const read = await readPrivateFile(join(folder(directory), `${name}.json`), stateFileBytesMax);
  if (!read.ok) return read;
  const json =
    read.value === null
      ? null
      : parseJson(read.value, { bytesMax: stateFileBytesMax, depthMax: jsonDepthMax });
  const parsed = json?.ok === true ? parseAdapterFile(json.value) : null;
  if (parsed === null || !parsed.ok || parsed.value.name !== name) {
    return fail("unavailable", `adapters/${name}.json is not what \`adapters add\` wrote`, {
      hint: "Add the adapter again under the same name; that shows what changes.",
    });
  }
  return succeed(parsed.value);
}

/** Writes an adapter's configuration whole, replacing an earlier one. */
export async function writeAdapterFile(
  directory: string,
  file: AdapterFile,
  unique: string,
): Promise<Outcome<void>> {
  const opened = await openFolder(folder(directory));
  if (!opened.ok) return opened;
  const bytes = new TextEncoder().encode(`${encodeCanonicalAdapterFile(file)}\n`);
  return replacePrivateFile(folder(directory), `${file.name}.json`, bytes, unique);
}

/** Forgets an adapter; its attempts stay in the ledger. */
export async function removeAdapterFile(directory: string, name: string): Promise<boolean> {
  return parseName(name).ok && removeFile(join(folder(directory), `${name}.json`));
}
