import { join } from "node:path";
import {
  encodeCanonicalHostFile,
  parseHostFile,
  stateFileBytesMax,
  jsonDepthMax,
  type HostFile,
} from "@connectors/domain";
import { fail, parseJson, succeed, type Outcome } from "@connectors/sdk";
import { createPrivateFile, readPrivateFile } from "./private-file.js";

const name = "host.json";

/** The host's id and when it was made; null before `init`. */
export async function readHostFile(directory: string): Promise<Outcome<HostFile | null>> {
  const read = await readPrivateFile(join(directory, name), stateFileBytesMax);
  if (!read.ok || read.value === null) return read.ok ? succeed(null) : read;
  const json = parseJson(read.value, { bytesMax: stateFileBytesMax, depthMax: jsonDepthMax });
  const parsed = json.ok ? parseHostFile(json.value) : null;
  if (parsed === null || !parsed.ok) {
    return fail("unavailable", "host.json is not what `init` wrote", {
      hint: "Restore it from a backup: approvals name the id in it. Nothing was changed.",
    });
  }
  return succeed(parsed.value);
}

/** Writes host.json once; an existing one is kept. */
export async function createHostFile(
  directory: string,
  file: HostFile,
): Promise<Outcome<"made" | "exists">> {
  const encoded = encodeCanonicalHostFile(file);
  return createPrivateFile(directory, name, new TextEncoder().encode(`${encoded}\n`));
}
