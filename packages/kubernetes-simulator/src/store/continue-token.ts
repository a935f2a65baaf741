import { isJsonObject, numberAt, parseJson, stringAt } from "../json-value.js";

/** Where a list goes on: the version that it shows, and the key after which it continues. */
export interface ContinueToken {
  readonly version: number;
  readonly after: string;
}

/** The token as the server writes it: base64url of a small JSON object. */
export function encodeContinueToken(token: ContinueToken): string {
  const text = JSON.stringify({
    v: "meta.k8s.io/v1",
    rv: token.version,
    start: `${token.after}\u0000`,
  });
  return Buffer.from(text, "utf8").toString("base64url");
}

/** The token that `text` is, if it is one. */
export function parseContinueToken(text: string): ContinueToken | undefined {
  const value = parseJson(Buffer.from(text, "base64url").toString("utf8"));
  if (!isJsonObject(value) || value["v"] !== "meta.k8s.io/v1") return undefined;
  const version = numberAt(value, "rv");
  const start = stringAt(value, "start");
  if (version === undefined || !Number.isSafeInteger(version) || !start.endsWith("\u0000")) {
    return undefined;
  }
  return { version, after: start.slice(0, -1) };
}
