import { jsonDepthMax, preparedFileBytesMax } from "@connectors/domain";
import { fail, parseJson, succeed, type Outcome } from "@connectors/sdk";

function step(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The adapter that a prepared file is for, so that only its files are opened; the bytes are checked after. */
export function readPreparedAdapter(prepared: Uint8Array): Outcome<string> {
  const bounds = { bytesMax: preparedFileBytesMax, depthMax: jsonDepthMax };
  const json = parseJson(prepared, bounds);
  const target = step(step(json.ok ? json.value : null, "subject"), "target");
  const instance = step(target, "instance");
  return typeof instance === "string"
    ? succeed(instance)
    : fail("invalid_input", "the prepared file is not what `connectors prepare` wrote", {
        hint: "Prepare again; every byte of the file counts.",
      });
}
