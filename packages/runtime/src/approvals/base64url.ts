/** The unpadded base64url text of the bytes. */
export function encodeBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/**
 * The bytes of unpadded base64url text, or undefined for text that encoding those bytes would not
 * give again: padding, other alphabets, white space, and stray bits in the last character.
 */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64url");
  return encodeBase64url(bytes) === text ? new Uint8Array(bytes) : undefined;
}
