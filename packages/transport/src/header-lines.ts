import { headerBytesMax, headerCountMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether `text` is one HTTP token: a header name, a subprotocol. */
export function isToken(text: string): boolean {
  return token.test(text);
}

/** Whether `text` is visible ASCII that can stand as a header's value. */
export function isHeaderValue(text: string): boolean {
  return visible.test(text);
}

/**
 * The headers of an answer by lower-case name, repeated lines joined by `, `.
 *
 * `raw` alternates names and values. More lines or bytes than an answer may have are `capacity`:
 * parsers stop at a size of their own, and count no lines.
 */
export function readHeaderLines(
  raw: readonly (string | Uint8Array)[],
): Outcome<ReadonlyMap<string, string>> {
  if (raw.length > headerCountMax * 2) {
    return fail("capacity", "The answer has more headers than its bound.");
  }
  const headers = new Map<string, string>();
  let bytes = 0;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = latin1(raw[at]).toLowerCase();
    const value = latin1(raw[at + 1]);
    bytes += name.length + value.length;
    if (bytes > headerBytesMax) {
      return fail("capacity", "The headers of the answer are larger than their bound.");
    }
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return succeed(headers);
}

function latin1(part: string | Uint8Array | undefined): string {
  if (part === undefined) return "";
  if (typeof part === "string") return part;
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("latin1");
}
