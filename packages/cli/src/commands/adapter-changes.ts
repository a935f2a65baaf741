import type { AdapterFile } from "@connectors/domain";

/** Members of an adapter's file by name, each as one line of text; when it was probed is left out. */
function flatten({ connection, configuration, probed }: AdapterFile): ReadonlyMap<string, string> {
  const { kind, ...source } = connection;
  const members: readonly (readonly [string, unknown])[] = [
    ["connection", kind],
    ...Object.entries(source),
    ...Object.entries(configuration),
    ...Object.entries(probed.provider),
  ];
  return new Map(
    members.map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** What replacing one file by the other changes, a line each: `namespaces: ["web"] → ["api"]`. */
export function listAdapterChanges(before: AdapterFile, after: AdapterFile): readonly string[] {
  const [old, next] = [flatten(before), flatten(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names]
    .filter((name) => old.get(name) !== next.get(name))
    .map((name) => `${name}: ${old.get(name) ?? "none"} → ${next.get(name) ?? "none"}`);
}
