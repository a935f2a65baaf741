import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { WireObject } from "../request/wire-object.js";
import { resolveIn } from "./material.js";

/** The versions of the plugin protocol that are spoken. */
export const pluginVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] as const;

/** One of the versions that are spoken. */
export type PluginVersion = (typeof pluginVersions)[number];

/** Whether a plugin may talk to a person. */
export type InteractiveMode = "Never" | "IfAvailable" | "Always";

/** How a user's exec plugin is run. */
export interface PluginSettings {
  readonly version: PluginVersion;
  /** A path, or a bare name that is looked up on the PATH; never a shell's text. */
  readonly command: string;
  readonly arguments: readonly string[];
  /** Added to this process's own environment. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
  readonly installHint: string | null;
}

/**
 * The settings of a user's `exec` member; a relative path starts from `folder`, a bare name from
 * the PATH. `unsupported` for another version of the protocol, else `invalid_input`.
 */
export function parsePluginSettings(
  exec: WireObject,
  folder: string | null,
): Outcome<PluginSettings> {
  const apiVersion = exec.text("apiVersion") ?? "";
  const named = exec.text("command") ?? "";
  const variables = exec
    .objects("env")
    .map((pair) => [pair.text("name") ?? "", pair.text("value") ?? ""] as const);
  const settings = {
    arguments: exec.texts("args"),
    variables,
    provideClusterInfo: exec.boolean("provideClusterInfo") ?? false,
    installHint: exec.text("installHint"),
  };
  const interactiveMode = parseInteractiveMode(exec.text("interactiveMode") ?? "", apiVersion);
  // Members of a wrong type are refused by whoever reads the user as a whole.
  const version = pluginVersions.find((known) => known === apiVersion);
  if (version === undefined) {
    return fail("unsupported", "the exec plugin's apiVersion is not v1 or v1beta1", {
      hint: `Set apiVersion to ${pluginVersions[0]}, and update the plugin if it is older.`,
    });
  }
  if (interactiveMode === undefined) {
    return fail(
      "invalid_input",
      "the exec plugin needs interactiveMode Never, IfAvailable or Always",
    );
  }
  if (variables.some(([name]) => name === "" || name.includes("="))) {
    return fail("invalid_input", "the exec plugin's env has an entry without a usable name");
  }
  const texts = [named, ...settings.arguments, ...variables.flat()];
  if (named === "" || texts.some((text) => text.includes("\0"))) {
    return fail("invalid_input", "the exec plugin has no usable command");
  }
  const command = named.includes("/") ? resolveIn(folder, named) : named;
  return command === undefined
    ? fail("invalid_input", "the exec plugin's command is relative, and there is no folder")
    : succeed({ version, command, interactiveMode, ...settings });
}

function parseInteractiveMode(text: string, apiVersion: string): InteractiveMode | undefined {
  if (text === "Never" || text === "IfAvailable" || text === "Always") return text;
  // v1 made the member mandatory; v1beta1 has a default.
  return text === "" && apiVersion === pluginVersions[1] ? "IfAvailable" : undefined;
}
