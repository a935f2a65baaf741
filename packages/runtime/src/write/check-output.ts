import { jsonDepthMax } from "@connectors/domain";
import { encodeCanonical, fail, parseJson, type JsonObject, type Outcome } from "@connectors/sdk";

/** What an output is held against. */
export interface OutputModel {
  readonly bytesMax: number;
  /** The output against its declared model. */
  checkResult(result: JsonObject): Outcome<JsonObject>;
}

/**
 * The output when it is what the operation declares.
 *
 * `capacity` when it is larger or deeper, looked at first, so that nothing larger than declared is
 * walked by a model; `upstream_protocol` when it is something else.
 */
export function checkOutput(result: JsonObject, model: OutputModel): Outcome<JsonObject> {
  const bytes = encodeResult(result);
  if (bytes === undefined) return fail("upstream_protocol", "The result is not JSON.");
  const parsed = parseJson(bytes, { bytesMax: model.bytesMax, depthMax: jsonDepthMax });
  if (!parsed.ok) {
    return parsed.failure.code === "capacity"
      ? fail("capacity", "The result is larger or deeper than this operation declares.")
      : fail("upstream_protocol", "The result is not strict JSON.");
  }
  const checked = model.checkResult(result);
  return checked.ok
    ? checked
    : fail("upstream_protocol", "The result does not fit its declared model.");
}

function encodeResult(result: JsonObject): Uint8Array | undefined {
  try {
    return new TextEncoder().encode(encodeCanonical(result));
  } catch {
    // The effect may have happened; then this is how it is described: in something that is no JSON.
    return undefined;
  }
}
