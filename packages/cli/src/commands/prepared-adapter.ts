import { jsonDepthMax, preparedFileBytesMax } from "@connectors/domain";
import { fail, parseJson, succeed, type Outcome } from "@connectors/sdk";
import { parseOperationPath } from "../composition/operation-name.js";

/**
 * The adapter that a write is for, so that only its files are opened: named on the command line, or
 * in the prepared file, whose every byte is checked afterwards.
 */
export function readPreparedAdapter(
  prepared: Uint8Array | null,
  operation: string | undefined,
): Outcome<string> {
  if (prepared === null) {
    const path = parseOperationPath(operation);
    return path.ok ? succeed(path.value.adapter) : path;
  }
  const json = parseJson(prepared, { bytesMax: preparedFileBytesMax, depthMax: jsonDepthMax });
  const file: unknown = json.ok ? json.value : null;
  const step = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const instance = step(step(step(file, "subject"), "target"), "instance");
  return typeof instance === "string"
    ? succeed(instance)
    : fail("invalid_input", "the prepared file is not what `connectors prepare` wrote", {
        hint: "Prepare again; every byte of the file counts.",
      });
}
