import { delimiter, join, resolve } from "node:path";
import { kubeconfigBytesMax, kubeconfigFilesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { readFileIfThere } from "./bounded-file.js";
import { parseClusterSettings, type ClusterSettings } from "./cluster-settings.js";
import {
  mergeKubeconfigs,
  parseKubeconfigText,
  type KubeconfigEntries,
  type KubeconfigEntry,
} from "./kubeconfig-file.js";
import type { NodeEnvironment } from "./node-environment.js";
import { nobody, parseUserSettings, type UserSettings } from "./user-settings.js";

/** One context of a kubeconfig, as it would be used; secrets in it do not print. */
export interface KubeconfigContext {
  readonly name: string;
  /** The context's own namespace. */
  readonly namespace: string | null;
  readonly cluster: ClusterSettings;
  readonly user: UserSettings;
  /** The files that were there, in order. */
  readonly files: readonly string[];
}

/** Where a kubeconfig is; without a context its current one is meant. */
export type KubeconfigRequest = (
  | { readonly paths: readonly string[] }
  | { readonly text: string }
) & { readonly context?: string | null };

/**
 * One context of one or several kubeconfigs, read anew and merged as kubectl merges them: missing
 * files are left out unless all are missing, the first to define a name wins wholly.
 *
 * `unavailable` when no file is there or one cannot be read, `not_found` for an unknown context,
 * `invalid_input` for whatever does not fit, `unsupported` for an auth-provider.
 */
export async function readKubeconfig(
  request: KubeconfigRequest,
): Promise<Outcome<KubeconfigContext>> {
  if ("text" in request) {
    if (Buffer.byteLength(request.text) > kubeconfigBytesMax) {
      return fail("capacity", `the kubeconfig is longer than ${kubeconfigBytesMax} bytes`);
    }
    const parsed = parseKubeconfigText(request.text, null);
    return parsed.ok ? chooseContext(parsed.value, request.context ?? null, []) : parsed;
  }
  const files = await readFiles(request.paths);
  if (!files.ok) return files;
  return chooseContext(
    mergeKubeconfigs(files.value.map((file) => file.entries)),
    request.context ?? null,
    files.value.map((file) => file.path),
  );
}

/** The absolute paths of a KUBECONFIG list; empty names and repetitions are left out. */
export function splitKubeconfigList(list: string, environment: NodeEnvironment): readonly string[] {
  const paths = list
    .split(delimiter)
    .filter((path) => path !== "")
    .map((path) => resolve(environment.workingFolder, path));
  return [...new Set(paths)];
}

/** Where kubectl would look: `KUBECONFIG`, else `~/.kube/config`. */
export function defaultKubeconfigPaths(environment: NodeEnvironment): readonly string[] {
  const listed = splitKubeconfigList(environment.variables["KUBECONFIG"] ?? "", environment);
  return listed.length > 0 ? listed : [join(environment.homeFolder, ".kube", "config")];
}

async function readFiles(
  paths: readonly string[],
): Promise<Outcome<readonly { readonly path: string; readonly entries: KubeconfigEntries }[]>> {
  if (paths.length > kubeconfigFilesMax) {
    return fail("capacity", `more than ${kubeconfigFilesMax} kubeconfig files`);
  }
  const files: { readonly path: string; readonly entries: KubeconfigEntries }[] = [];
  for (const path of paths) {
    const what = paths.length === 1 ? "the kubeconfig" : "a file of the kubeconfig list";
    const read = await readFileIfThere({ path, what, bytesMax: kubeconfigBytesMax });
    if (!read.ok) return read;
    if (read.value === undefined) continue;
    const parsed = parseKubeconfigText(read.value.toString("utf8"), path);
    if (!parsed.ok) return parsed;
    files.push({ path, entries: parsed.value });
  }
  return files.length > 0
    ? succeed(files)
    : fail("unavailable", "there is no kubeconfig", {
        hint: "Name one with --kubeconfig, or set KUBECONFIG; default is ~/.kube/config.",
      });
}

function chooseContext(
  entries: KubeconfigEntries,
  wanted: string | null,
  files: readonly string[],
): Outcome<KubeconfigContext> {
  const name = wanted ?? entries.currentContext ?? "";
  if (name === "") return fail("invalid_input", "the kubeconfig has no current context; name one");
  const context = entries.contexts.get(name);
  if (context === undefined) {
    return fail("not_found", "the kubeconfig has no such context", {
      hint: "List its contexts with `kubectl config get-contexts`.",
    });
  }
  const cluster = findNamed(context, "cluster", entries.clusters);
  const user = findNamed(context, "user", entries.users);
  const namespace = context.fields.text("namespace");
  const fault = context.fields.fault();
  if (fault !== null) return fail("invalid_input", `the context's ${fault} has the wrong type`);
  if (cluster === undefined) return fail("invalid_input", "the context's cluster is not there");
  if (cluster === null) return fail("invalid_input", "the context names no cluster");
  if (user === undefined) return fail("invalid_input", "the context's user is not there");
  const clusterSettings = parseClusterSettings(cluster);
  if (!clusterSettings.ok) return clusterSettings;
  const userSettings = user === null ? succeed(nobody) : parseUserSettings(user);
  if (!userSettings.ok) return userSettings;
  return succeed({
    name,
    namespace: namespace === "" ? null : namespace,
    cluster: clusterSettings.value,
    user: userSettings.value,
    files,
  });
}

/** The entry that the context's member names; null when it names none, undefined when unknown. */
function findNamed(
  context: KubeconfigEntry,
  member: string,
  among: ReadonlyMap<string, KubeconfigEntry>,
): KubeconfigEntry | null | undefined {
  const name = context.fields.text(member) ?? "";
  return name === "" ? null : among.get(name);
}
