import { succeed, type Outcome } from "@connectors/sdk";
import { parseOperationPath } from "../composition/operation-name.js";
import type { WriteFlags } from "../program/write-commands.js";
import { failUsage } from "../usage-failure.js";
import type { OperationLine } from "./operation-line.js";

/** Whether the words of a `write` make sense together; `--prepared` brings everything itself. */
export function checkWriteWords(line: OperationLine<WriteFlags>): Outcome<void> {
  const { operation, pairs, command, flags } = line;
  if (flags.prepared !== undefined) {
    const beside = operation !== undefined || pairs.length > 0 || command !== null;
    const more = flags.input ?? flags.key ?? flags.namespace;
    if (beside || more !== undefined || flags.atCurrent === true) {
      return failUsage("invalid_input", "--prepared brings the operation, its input and its key", {
        hint: "Leave everything else out, or leave --prepared out.",
      });
    }
    return succeed(undefined);
  }
  if (flags.proof !== undefined) {
    return failUsage("invalid_input", "--proof approves the bytes of a prepared file", {
      hint: "Name it too: --prepared FILE --proof FILE.",
    });
  }
  const path = parseOperationPath(operation);
  return path.ok ? succeed(undefined) : path;
}
