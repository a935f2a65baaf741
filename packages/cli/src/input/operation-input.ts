import {
  inputBytesMax,
  operationDeclarations,
  type OperationDeclaration,
} from "@connectors/domain";
import type { Host } from "@connectors/runtime";
import { fail, succeed, type JsonObject, type Outcome } from "@connectors/sdk";
import type { OperationPath } from "../composition/operation-name.js";
import { didYouMean } from "../output/did-you-mean.js";
import type { InputFlags } from "../program/write-commands.js";
import type { World } from "../world/world.js";
import { readInputFields } from "./input-schema.js";
import { parseInput } from "./parse-input.js";
import { readInputFlag } from "./read-bytes.js";

/** The declaration of an advertised operation; says which of "no such" and "not on" it is. */
export function findDeclaration(host: Host, path: OperationPath): Outcome<OperationDeclaration> {
  const offered = host.operations().filter(({ adapter }) => adapter === path.adapter);
  const found = offered.find(({ declaration }) => declaration.id === path.operation);
  if (found !== undefined) return succeed(found.declaration);
  if (operationDeclarations.some(({ id }) => id === path.operation)) {
    return fail("forbidden", "this operation is not turned on for this adapter", {
      hint: `Turn it on: \`connectors adapters add kubernetes ${path.adapter} … --allow ${path.operation}\`.`,
    });
  }
  const names = offered.map(({ declaration }) => declaration.id);
  return fail("unsupported", `there is no such operation.${didYouMean(path.operation, names)}`);
}

/** The input that a command line gives an operation, typed by the operation's own model. */
export async function readOperationInput(
  world: World,
  host: Host,
  path: OperationPath,
  line: { readonly pairs: readonly string[]; readonly flags: InputFlags },
): Promise<Outcome<JsonObject>> {
  const declaration = findDeclaration(host, path);
  if (!declaration.ok) return declaration;
  const text = await readInputFlag(world, line.flags.input, inputBytesMax);
  if (!text.ok) return text;
  const { namespace } = line.flags;
  const pairs = namespace === undefined ? line.pairs : [`namespace=${namespace}`, ...line.pairs];
  return parseInput(
    { pairs, text: text.value, command: world.command },
    readInputFields(declaration.value.input_schema),
  );
}
