import { operationDeclarations, type OperationDeclaration } from "@connectors/domain";
import type { OperationListing } from "@connectors/runtime";
import { succeed } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { parseOperationPath } from "../composition/operation-name.js";
import { exitCodes } from "../exit-code.js";
import { readInputFields, type InputField } from "../input/input-schema.js";
import { findDeclaration } from "../input/operation-input.js";
import { escapeLine } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { printRows } from "../output/print-rows.js";
import { shellLine } from "../output/shell-line.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

const keyWords = { none: "-", natural: "natural", keyed: "keyed" } as const;

function formatOperations(listed: readonly OperationListing[]): string {
  return formatTable(
    ["OPERATION", "KIND", "RISK", "KEY", "APPROVAL", "EFFECTS"],
    listed.map(({ adapter, declaration, write }) => [
      `${adapter}/${declaration.id}`,
      write ? "write" : "read",
      declaration.risk,
      keyWords[declaration.idempotency.kind],
      declaration.approval === "required" ? "required" : "-",
      declaration.effects.join(","),
    ]),
  );
}

/** What one adapter could do and does not: writes are off until somebody turns them on. */
function tellOff(
  world: World,
  adapter: string | undefined,
  listed: readonly OperationListing[],
): void {
  if (adapter === undefined) return;
  const on = new Set(listed.map(({ declaration }) => declaration.id));
  const off = operationDeclarations.filter(({ id }) => !on.has(id)).map(({ id }) => id);
  if (off.length > 0) {
    world.err(`off: ${off.join(", ")}; \`connectors adapters add … --allow\` turns one on\n`);
  }
}

/** Lists what can be read and written. */
export function runOperations(
  world: World,
  adapter: string | undefined,
  flags: CommonFlags,
): Promise<number> {
  return withHost(world, flags, { only: adapter ?? null }, ({ host }) => {
    const listed = host.operations();
    printRows(world, flags.output, listed, () => formatOperations(listed));
    if (flags.output === "text" && flags.quiet !== true) {
      if (listed.length === 0) {
        world.err("no adapters yet: connectors adapters add kubernetes NAME --namespaces a,b\n");
      } else tellOff(world, adapter, listed);
    }
    return Promise.resolve(succeed(exitCodes.ok));
  });
}

/** The declared example as a user types it. */
function exampleLine(path: string, { example, profile }: OperationDeclaration): string {
  const verb = profile === "mutation" ? "write" : "read";
  const members =
    typeof example === "object" && example !== null && !Array.isArray(example)
      ? Object.entries(example)
      : [];
  const pairs = members
    .filter(([name]) => name !== "command")
    .map(([name, value]) =>
      typeof value === "string" ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`,
    );
  const command: unknown = members.find(([name]) => name === "command")?.[1];
  const tail = Array.isArray(command) ? ["--", ...command.map(String)] : [];
  return shellLine(["connectors", verb, path, ...pairs, ...tail]);
}

function describeField({
  name,
  kind,
  required,
  description,
  bounds,
}: InputField): readonly string[] {
  const type = kind === "strings" ? "list" : kind;
  return [
    name,
    required ? `${type}, required` : type,
    [bounds, description].filter((part) => part !== "").join(". "),
  ];
}

const keySentences = {
  none: "takes no key: each call is an effect of its own",
  natural: "takes no key: doing it twice is doing it once",
  keyed: "takes a key: the same key is the same effect, and its answer is kept",
} as const;

const seconds = (ms: number): string => `${ms / 1000} s`;

function describeText(path: string, declaration: OperationDeclaration): string {
  const { limits, effects, semantic_effects: meaning, risk, approval, idempotency } = declaration;
  const fields = readInputFields(declaration.input_schema).map(describeField);
  const retention = idempotency.retention_s === null ? "" : ` for ${idempotency.retention_s} s`;
  return [
    path,
    `  ${escapeLine(declaration.description)}`,
    "",
    `  risk      ${risk}`,
    `  effects   ${[...effects, ...meaning].join(", ")}`,
    `  approval  ${approval === "required" ? "required" : "not required"}`,
    `  keys      ${keySentences[idempotency.kind]}${retention}`,
    `  time      at most ${seconds(limits.execution_ms)}, of them ${seconds(limits.provider_ms)} for the cluster`,
    "",
    formatTable(["FIELD", "TYPE", "MEANING"], fields),
    "Example:",
    `  $ ${exampleLine(path, declaration)}`,
    "",
  ].join("\n");
}

/** Shows an operation's fields, bounds, and an example. */
export async function runDescribe(
  world: World,
  operation: string,
  flags: CommonFlags,
): Promise<number> {
  const path = parseOperationPath(operation);
  if (!path.ok) return finish(world, flags.output, path);
  return withHost(world, flags, { only: path.value.adapter }, ({ host }) => {
    const found = findDeclaration(host, path.value);
    if (!found.ok) return Promise.resolve(found);
    if (flags.output === "text") world.out(describeText(operation, found.value));
    else printJson(world, found.value);
    return Promise.resolve(succeed(exitCodes.ok));
  });
}
