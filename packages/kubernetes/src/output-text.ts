import { isTruncated, joinKeptBytes, type KeptBytes } from "./kept-bytes.js";

// A leading byte order mark is output like any other.
const lossyUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The kept output as text. Where it was cut, an incomplete scalar at its end is withheld, since
 * its other bytes were dropped; every other invalid sequence becomes U+FFFD.
 */
export function describeOutput(kept: KeptBytes): string {
  const bytes = joinKeptBytes(kept);
  const end = isTruncated(kept) ? bytes.byteLength - incompleteTail(bytes) : bytes.byteLength;
  return lossyUtf8.decode(bytes.subarray(0, end));
}

/** How many bytes at the end begin a UTF-8 scalar that is not finished: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.byteLength; length += 1) {
    const tail = bytes.subarray(bytes.byteLength - length);
    const lead = tail[0] ?? 0;
    // Bytes of the form 10xxxxxx continue a scalar; whatever else is found is where one starts.
    if (lead >= 0x80 && lead <= 0xbf) continue;
    return isScalarPrefix(tail) ? length : 0;
  }
  return 0;
}

/** Whether these bytes, which are not all of a scalar, can be continued to one. */
function isScalarPrefix(bytes: Uint8Array): boolean {
  const [lead = 0, second] = bytes;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || bytes.byteLength >= length) return false;
  if (second === undefined) return true;
  // Overlong forms, surrogates and scalars beyond U+10FFFF are told by the second byte.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}
