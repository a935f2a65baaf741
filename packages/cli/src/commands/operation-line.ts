import { parseOperationPath, type OperationPath } from "../composition/operation-name.js";
import type { InputWords } from "../input/operation-input.js";
import type { InputFlags } from "../program/write-commands.js";
import { succeed, type Outcome } from "@connectors/sdk";

/** What a command line names: an operation, its input, and flags. */
export interface OperationLine<Flags extends InputFlags> extends InputWords {
  readonly operation: string | undefined;
  readonly flags: Flags;
}

/** The same, with the operation's name in its two halves. */
export interface PathLine<Flags extends InputFlags> extends OperationLine<Flags> {
  readonly path: OperationPath;
}

/** The line with its operation named; a usage failure when it is not. */
export function readPath<Flags extends InputFlags>(
  line: OperationLine<Flags>,
): Outcome<PathLine<Flags>> {
  const path = parseOperationPath(line.operation);
  return path.ok ? succeed({ ...line, path: path.value }) : path;
}
