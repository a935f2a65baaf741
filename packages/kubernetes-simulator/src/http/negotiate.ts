/** The form that an object is answered in. */
export type ObjectForm = "json" | "table" | "partial";

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The first form of an Accept header that can be answered; undefined for 406. */
export function negotiateObject(accept: string | undefined): ObjectForm | undefined {
  for (const range of parseAccept(accept)) {
    if (!isJson(range.type)) continue;
    const as = range.parameters.get("as");
    if (as === undefined) return "json";
    if (!isMetaV1(range)) continue;
    if (as === "Table") return "table";
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return "partial";
  }
  return undefined;
}

/** The form of a discovery document: aggregated, as it always was, or neither (406). */
export function negotiateDiscovery(accept: string | undefined): "aggregated" | "plain" | undefined {
  for (const { type, parameters } of parseAccept(accept)) {
    if (!isJson(type)) continue;
    if (parameters.get("as") === undefined) return "plain";
    const wanted =
      parameters.get("as") === "APIGroupDiscoveryList" &&
      parameters.get("g") === "apidiscovery.k8s.io" &&
      parameters.get("v") === "v2";
    if (wanted) return "aggregated";
  }
  return undefined;
}

function isMetaV1({ parameters }: MediaRange): boolean {
  return parameters.get("g") === "meta.k8s.io" && parameters.get("v") === "v1";
}

function isJson(type: string): boolean {
  return type === "application/json" || type === "application/*" || type === "*/*";
}

function parseAccept(accept: string | undefined): readonly MediaRange[] {
  if (accept === undefined || accept.trim() === "") return [{ type: "*/*", parameters: new Map() }];
  return accept
    .slice(0, ACCEPT_LENGTH_MAX)
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      return {
        type: type.toLowerCase(),
        parameters: new Map(
          parameters.map((parameter) => {
            const at = parameter.indexOf("=");
            return [parameter.slice(0, at), parameter.slice(at + 1)];
          }),
        ),
      };
    });
}

// Longer than any client's list of media types.
const ACCEPT_LENGTH_MAX = 4_096;

/** A Content-Type without its parameters, lower case. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
