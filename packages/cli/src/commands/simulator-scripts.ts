import {
  defaultSeed,
  parseFaults,
  parseSeed,
  type FaultRule,
  type Parsed,
  type SimulatorSeed,
} from "@connectors/kubernetes-simulator";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { parseAllDocuments } from "yaml";
import { readBoundedFile } from "../input/read-bytes.js";

const scriptBytesMax = 4 * 1024 * 1024;
const aliasesMax = 100;

/** The documents of a YAML or JSON file; empty ones are left out. */
async function readDocuments(path: string, what: string): Promise<Outcome<readonly unknown[]>> {
  const bytes = await readBoundedFile(path, scriptBytesMax, what);
  if (!bytes.ok) return bytes;
  const text = new TextDecoder().decode(bytes.value);
  const values: unknown[] = [];
  for (const document of parseAllDocuments(text, { uniqueKeys: true })) {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line ?? 1;
      return fail("invalid_input", `${what} is not YAML at line ${line}`);
    }
    try {
      values.push(document.toJS({ maxAliasCount: aliasesMax }));
    } catch {
      return fail("invalid_input", `${what} has more aliases than it may`);
    }
  }
  return succeed(values.filter((value) => value !== null));
}

function accept<T>(parsed: Parsed<T>, what: string): Outcome<T> {
  if (parsed.ok) return succeed(parsed.value);
  const [issue] = parsed.issues;
  return fail("invalid_input", `${what}: ${issue?.path ?? ""} ${issue?.message ?? ""}`, {
    hint: "Correct that place; docs/simulator.md shows the form.",
  });
}

/** A seed file is either one document of the seed's own form, or manifests as kubectl applies. */
export async function readSeed(path: string | undefined): Promise<Outcome<SimulatorSeed>> {
  if (path === undefined) return succeed(defaultSeed());
  const documents = await readDocuments(path, "the seed file");
  if (!documents.ok) return documents;
  const [only, ...more] = documents.value;
  const own = more.length === 0 && typeof only === "object" && only !== null && !("kind" in only);
  return accept(parseSeed(own ? only : { manifests: documents.value }), "the seed file");
}

/** A fault script is one document. */
export async function readFaults(path: string | undefined): Promise<Outcome<readonly FaultRule[]>> {
  if (path === undefined) return succeed([]);
  const bytes = await readBoundedFile(path, scriptBytesMax, "the fault script");
  if (!bytes.ok) return bytes;
  return accept(parseFaults(new TextDecoder().decode(bytes.value)), "the fault script");
}
