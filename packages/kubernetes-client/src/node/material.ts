import { isAbsolute, resolve } from "node:path";
import { credentialFileBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { readNamedFile } from "./bounded-file.js";
import type { KubeconfigEntry } from "./kubeconfig-file.js";
import { makeSecretText, type SecretText } from "./secret-text.js";

/** PEM that stands in the kubeconfig, or the file that holds it. */
export type Material =
  | { readonly kind: "inline"; readonly pem: SecretText }
  | { readonly kind: "file"; readonly path: string };

/**
 * What `MEMBER-data` holds, else the file that `MEMBER` names, else null; data goes before file,
 * as in kubectl. `invalid_input` for data that is not base64, and for a relative path without a
 * folder to start from.
 */
export function parseMaterial(
  { fields, folder }: KubeconfigEntry,
  member: string,
): Outcome<Material | null> {
  const data = fields.text(`${member}-data`) ?? "";
  if (data !== "") {
    const pem = decodeBase64(data);
    if (pem === undefined) return fail("invalid_input", `${member}-data is not base64`);
    return succeed({ kind: "inline", pem: makeSecretText(pem) });
  }
  const named = fields.text(member) ?? "";
  if (named === "") return succeed(null);
  const path = resolveIn(folder, named);
  return path === undefined
    ? fail("invalid_input", `${member} is a relative path, and there is no folder to start from`)
    : succeed({ kind: "file", path });
}

/** The PEM text; files are read anew each time. `what` names it in messages. */
export async function readMaterial(
  material: Material,
  what: string,
  bytesMax: number = credentialFileBytesMax,
): Promise<Outcome<SecretText>> {
  if (material.kind === "inline") return succeed(material.pem);
  const read = await readNamedFile({ path: material.path, what, bytesMax });
  return read.ok ? succeed(makeSecretText(read.value.toString("latin1"))) : read;
}

/** The path from `folder`, or undefined for a relative path without a folder. */
export function resolveIn(folder: string | null, path: string): string | undefined {
  if (isAbsolute(path)) return path;
  return folder === null ? undefined : resolve(folder, path);
}

/** The text that canonical, padded base64 stands for; line breaks are left out, as Go does. */
function decodeBase64(text: string): string | undefined {
  const dense = text.replaceAll(/[\r\n]/g, "");
  const bytes = Buffer.from(dense, "base64");
  return bytes.toString("base64") === dense ? bytes.toString("latin1") : undefined;
}
