import { jsonDepthMax, preparedFileBytesMax } from "@connectors/domain";
import type { FrozenWrite } from "@connectors/runtime";
import { invariant, parseJson, type JsonObject } from "@connectors/sdk";

/** The input that was frozen, as its bytes say. */
export function readFrozenInput(frozen: FrozenWrite): JsonObject {
  const bounds = { bytesMax: preparedFileBytesMax, depthMax: jsonDepthMax };
  const file = parseJson(frozen.preparedBytes, bounds);
  invariant(file.ok, "a frozen write's bytes are strict JSON");
  const { value } = file;
  invariant(isObject(value) && isObject(value["input"]), "a frozen write has an object as input");
  return value["input"];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
