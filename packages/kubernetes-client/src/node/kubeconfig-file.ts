import { dirname } from "node:path";
import { kubeconfigEntriesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { makeWireObject, type WireObject } from "../request/wire-object.js";
import { parseYamlText } from "./yaml-text.js";

/** One named entry of a kubeconfig, and the folder that its relative paths start from. */
export interface KubeconfigEntry {
  readonly fields: WireObject;
  /** Null for a text that came from no file. */
  readonly folder: string | null;
}

/** The named entries of one kubeconfig, or of several that were merged. */
export interface KubeconfigEntries {
  readonly currentContext: string | null;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
}

/** What to call a kubeconfig that cannot be used, in messages. */
const what = "the kubeconfig";

/**
 * The entries of one kubeconfig text. An empty text has none. What is not looked at may be
 * anything; `invalid_input` for YAML that is not a v1 Config, for an entry without a name, and for
 * a name twice. `path` is the file it came from, or null.
 */
export function parseKubeconfigText(text: string, path: string | null): Outcome<KubeconfigEntries> {
  const parsed = parseYamlText(text, what);
  if (!parsed.ok) return parsed;
  const root = makeWireObject(parsed.value ?? {});
  const apiVersion = root.text("apiVersion") ?? "";
  const kind = root.text("kind") ?? "";
  const folder = path === null ? null : dirname(path);
  const contexts = readEntries(root, "contexts", "context", folder);
  const clusters = readEntries(root, "clusters", "cluster", folder);
  const users = readEntries(root, "users", "user", folder);
  const currentContext = root.text("current-context");
  const fault = root.fault();
  if (fault !== null) return fail("invalid_input", `${what}: ${fault} has the wrong type`);
  if (!["", "v1"].includes(apiVersion) || !["", "Config"].includes(kind)) {
    return fail("invalid_input", `${what} is not a v1 Config`);
  }
  if (typeof contexts === "string") return fail("invalid_input", contexts);
  if (typeof clusters === "string") return fail("invalid_input", clusters);
  if (typeof users === "string") return fail("invalid_input", users);
  return succeed({ currentContext, contexts, clusters, users });
}

/** Several kubeconfigs as one: the first to define a name defines it wholly. */
export function mergeKubeconfigs(files: readonly KubeconfigEntries[]): KubeconfigEntries {
  const first = (list: "contexts" | "clusters" | "users"): Map<string, KubeconfigEntry> =>
    new Map(files.toReversed().flatMap((file) => [...file[list]]));
  const named = files.find((file) => (file.currentContext ?? "") !== "");
  return {
    currentContext: named?.currentContext ?? null,
    contexts: first("contexts"),
    clusters: first("clusters"),
    users: first("users"),
  };
}

function readEntries(
  root: WireObject,
  list: string,
  member: string,
  folder: string | null,
): ReadonlyMap<string, KubeconfigEntry> | string {
  const entries = new Map<string, KubeconfigEntry>();
  const items = root.objects(list);
  if (items.length > kubeconfigEntriesMax) return `${what} has too many ${list}`;
  for (const item of items) {
    const name = item.text("name");
    if (name === null) {
      if (root.wellTyped()) return `${what}: one of its ${list} has no name`;
      continue;
    }
    if (entries.has(name)) return `${what} names one of its ${list} twice`;
    entries.set(name, { fields: makeWireObject(item.json(member) ?? {}), folder });
  }
  return entries;
}
