import type { OperationDeclaration } from "@connectors/domain";
import { parseOperationPath } from "../composition/operation-name.js";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { readInputFields } from "../input/input-schema.js";
import { findDeclaration } from "../input/operation-input.js";
import { escapeLine } from "../output/escape.js";
import { printFailure } from "../output/print-failure.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

/** Lists what can be read and written. */
export async function runOperations(
  world: World,
  adapter: string | undefined,
  flags: CommonFlags,
): Promise<number> {
  return withHost(world, flags, { only: adapter ?? null }, async ({ host }) => {
    const listed = host.operations();
    if (flags.output === "text") {
      const rows = listed.map(({ adapter: name, declaration: d, write }) => [
        `${name}/${d.id}`,
        write ? "write" : "read",
        d.risk,
        d.idempotency.kind === "keyed" ? "key" : "-",
        d.approval === "required" ? "approval" : "-",
        d.effects.join(","),
      ]);
      world.out(formatTable(["OPERATION", "KIND", "RISK", "KEY", "APPROVAL", "EFFECTS"], rows));
      if (rows.length === 0 && flags.quiet !== true) {
        world.err("no adapters yet: connectors adapters add kubernetes NAME --namespaces a,b\n");
      }
    } else if (flags.output === "jsonl") {
      for (const entry of listed) world.out(`${JSON.stringify(entry)}\n`);
    } else world.out(`${JSON.stringify(listed)}\n`);
    return exitCodes.ok;
  });
}

function exampleLine(path: string, declaration: OperationDeclaration): string {
  const { example } = declaration;
  if (typeof example !== "object" || example === null || Array.isArray(example)) return "";
  const members = Object.entries(example);
  const pairs = members
    .filter(([name]) => name !== "command")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const command = members.find(([name]) => name === "command")?.[1];
  const tail = Array.isArray(command) ? ` -- ${command.join(" ")}` : "";
  const verb = declaration.profile === "mutation" ? "write" : "read";
  return `connectors ${verb} ${path} ${pairs.join(" ")}${tail}`;
}

function describeText(path: string, declaration: OperationDeclaration): string {
  const { limits } = declaration;
  const fields = readInputFields(declaration.input_schema).map((field) => [
    field.name,
    field.kind === "strings" ? "list" : field.kind,
    field.required ? "required" : "optional",
    [field.description, field.bounds].filter((part) => part !== "").join(" "),
  ]);
  return (
    `${path}\n${escapeLine(declaration.description)}\n\n` +
    `risk ${declaration.risk} · effects ${declaration.effects.join(", ")} · ` +
    `keys ${declaration.idempotency.kind} · approval ${declaration.approval}\n` +
    `at most ${limits.execution_ms / 1000} s, of them ${limits.provider_ms / 1000} s for the provider\n\n` +
    `${formatTable(["FIELD", "TYPE", "", "MEANING"], fields)}\n` +
    `Example:\n  $ ${exampleLine(path, declaration)}\n`
  );
}

/** Shows an operation's fields, bounds, and an example. */
export async function runDescribe(
  world: World,
  operation: string,
  flags: CommonFlags,
): Promise<number> {
  const path = parseOperationPath(operation);
  if (!path.ok) {
    printFailure(world, path.failure, flags.output);
    return exitCodes.usage;
  }
  return withHost(world, flags, { only: path.value.adapter }, async ({ host }) => {
    const found = findDeclaration(host, path.value);
    if (!found.ok) {
      printFailure(world, found.failure, flags.output);
      return exitCodes.nothingDone;
    }
    world.out(
      flags.output === "text"
        ? describeText(operation, found.value)
        : `${JSON.stringify(found.value)}\n`,
    );
    return exitCodes.ok;
  });
}
