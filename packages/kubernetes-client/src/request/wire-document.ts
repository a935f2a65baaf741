import { jsonDepthMax } from "@connectors/domain";
import { fail, parseJson, succeed, type Failure, type Outcome } from "@connectors/sdk";
import { makeWireObject, type WireObject } from "./wire-object.js";

/** What a document calls itself. */
export interface WireKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * One JSON object that a server sent, read strictly: `upstream_protocol` for anything else, and
 * `capacity` when it is longer than `bytesMax` or too deep.
 *
 * Integers beyond 2^53 are kept as text, since foreign members may hold them.
 */
export function parseWireDocument(bytes: Uint8Array, bytesMax: number): Outcome<WireObject> {
  const parsed = parseJson(bytes, { bytesMax, depthMax: jsonDepthMax, integers: "text" });
  if (!parsed.ok) {
    if (parsed.failure.code === "capacity") return parsed;
    return refuseAnswer("the answer is not strict JSON");
  }
  const document = makeWireObject(parsed.value);
  return document.wellTyped() ? succeed(document) : refuseAnswer("the answer is not an object");
}

/** True when the document calls itself exactly that. */
export function isOfKind(document: WireObject, { apiVersion, kind }: WireKind): boolean {
  return document.text("apiVersion") === apiVersion && document.text("kind") === kind;
}

/** An answer that does not follow the API: `upstream_protocol`, with fixed text. */
export function refuseAnswer(message: string): {
  readonly ok: false;
  readonly failure: Failure;
} {
  return fail("upstream_protocol", message);
}
