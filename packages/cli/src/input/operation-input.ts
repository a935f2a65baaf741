import {
  inputBytesMax,
  operationDeclarations,
  type OperationDeclaration,
} from "@connectors/domain";
import type { Host } from "@connectors/runtime";
import { fail, succeed, type JsonObject, type Outcome } from "@connectors/sdk";
import type { OperationPath } from "../composition/operation-name.js";
import { didYouMean } from "../output/did-you-mean.js";
import { withProgress, type ProgressFlags } from "../output/progress.js";
import { failUsage } from "../usage-failure.js";
import type { World } from "../world/world.js";
import { readInputFields } from "./input-schema.js";
import { parseInput } from "./parse-input.js";
import { readInputFlag } from "./read-bytes.js";

/** How an input stands on a command line. */
export interface InputWords {
  readonly pairs: readonly string[];
  /** What stood after `--`; null without it. */
  readonly command: readonly string[] | null;
  readonly flags: ProgressFlags & { readonly input?: string; readonly namespace?: string };
}

/** The declaration of an advertised operation; says which of "no such" and "not on" it is. */
export function findDeclaration(host: Host, path: OperationPath): Outcome<OperationDeclaration> {
  const offered = host.operations().filter(({ adapter }) => adapter === path.adapter);
  const found = offered.find(({ declaration }) => declaration.id === path.operation);
  if (found !== undefined) return succeed(found.declaration);
  const known = operationDeclarations.map(({ id }) => id);
  if (known.some((id) => id === path.operation)) {
    return fail("forbidden", "this operation is not turned on for this adapter", {
      hint: `Turn it on: \`connectors adapters add kubernetes ${path.adapter} … --allow ${path.operation}\`.`,
    });
  }
  return failUsage(
    "unsupported",
    `there is no such operation.${didYouMean(path.operation, known)}`,
    { hint: `\`connectors operations ${path.adapter}\` lists what is there.` },
  );
}

/** The input that a command line gives an operation, typed by the operation's own model. */
export async function readOperationInput(
  world: World,
  host: Host,
  path: OperationPath,
  { pairs, command, flags }: InputWords,
): Promise<Outcome<JsonObject>> {
  const declaration = findDeclaration(host, path);
  if (!declaration.ok) return declaration;
  const read = (): ReturnType<typeof readInputFlag> =>
    readInputFlag(world, flags.input, inputBytesMax);
  const text =
    flags.input === undefined
      ? succeed(null)
      : await withProgress(world, flags, "reading the input", read);
  if (!text.ok) return text;
  const { namespace } = flags;
  return parseInput(
    {
      pairs: namespace === undefined ? pairs : [`namespace=${namespace}`, ...pairs],
      text: text.value,
      command,
    },
    readInputFields(declaration.value.input_schema),
  );
}
