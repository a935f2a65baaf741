import { findKindOf, groupVersionOf, type ResourceKind } from "../api/resource-kind.js";
import { simulatorBounds } from "../bounds.js";
import { describeJsonKind, describeSyntaxError, quote } from "../go-format.js";
import {
  isJsonObject,
  isWithinDepth,
  parseJson,
  stringAt,
  type JsonObject,
} from "../json-value.js";
import { badRequest } from "../refusals.js";
import { decodeObject, describeUnmarshalError } from "../schema/decode.js";
import type { SchemaSet } from "../schema/schema.js";
import { accept, refuse, type Verdict } from "../verdict.js";

/** What happens to fields that the kind doesn't have. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** A body as an object of its kind. */
export interface DecodedBody {
  readonly object: JsonObject;
  /** For the Warning header: the unknown fields, unless they are to be ignored. */
  readonly warnings: readonly string[];
}

/** The kind of a body, and the names that messages have for it. */
export type BodyKind = Pick<ResourceKind, "group" | "version" | "kind" | "schema">;

/** Reads a POST's or PUT's body as an object of `kind`, as the server does. */
export function decodeBody(
  schemas: SchemaSet,
  kind: BodyKind,
  text: string,
  validation: FieldValidation,
): Verdict<DecodedBody> {
  const value = parseJson(text);
  if (value === undefined) return refuse(unrecognized(kind, describeSyntaxError(text), text));
  if (!isJsonObject(value)) {
    const why = `json: cannot unmarshal ${describeJsonKind(value)} into Go value of type struct`;
    return refuse(unrecognized(kind, why, text));
  }
  if (!isWithinDepth(value, simulatorBounds.bodyDepthMax)) {
    return refuse(unrecognized(kind, "exceeded max depth", ""));
  }
  const named = stringAt(value, "kind");
  const version = stringAt(value, "apiVersion");
  const misfit = describeMisfit(kind, named, version);
  const subject = named === "" ? kind.kind : named;
  const cannot = (why: string): ReturnType<typeof refuse> =>
    refuse(
      badRequest(
        `${subject} in version ${quote(lastPart(version, kind.version))} ` +
          `cannot be handled as a ${kind.kind}: ${why}`,
      ),
    );
  if (misfit !== undefined) return cannot(misfit);

  const decoded = decodeObject(schemas, kind.schema, value);
  if (!decoded.ok) return cannot(describeUnmarshalError(decoded.mismatch));
  const unknown = describeUnknown(decoded.unknown);
  if (validation === "Strict" && unknown.length > 0) {
    return cannot(`strict decoding error: ${unknown.join(", ")}`);
  }
  return accept({ object: decoded.object, warnings: validation === "Warn" ? unknown : [] });
}

/** One line a field that the kind doesn't have. */
export function describeUnknown(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `unknown field ${quote(path)}`);
}

function describeMisfit(kind: BodyKind, named: string, version: string): string | undefined {
  const own = groupVersionOf(kind);
  if ((named === "" || named === kind.kind) && (version === "" || version === own)) {
    return undefined;
  }
  const other = findKindOf(version === "" ? own : version, named === "" ? kind.kind : named);
  if (other === undefined) {
    const shown = version === "" ? own : version;
    return (
      `no kind ${quote(named === "" ? kind.kind : named)} is registered ` +
      `for version ${quote(shown)} in scheme "pkg/runtime/scheme.go:111"`
    );
  }
  const target = kind.group === "" ? "core" : kind.group;
  const from = `${other.version}.${other.kind}`;
  return `converting (${from}) to (${target}.${kind.kind}): unknown conversion`;
}

function unrecognized(kind: BodyKind, why: string, text: string): ReturnType<typeof badRequest> {
  const excerpt = Buffer.from(text, "utf8").subarray(0, EXCERPT_BYTES).toString("hex");
  const shown = text === "" ? "<empty>" : excerpt;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind.kind}): ` +
      `couldn't get version/kind; json parse error: ${why} (${shown})`,
  );
}

// How much of a body that cannot be read is shown, in hex.
const EXCERPT_BYTES = 30;

function lastPart(version: string, fallback: string): string {
  return version === "" ? fallback : version.slice(version.lastIndexOf("/") + 1);
}
