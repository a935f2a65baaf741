import { hash } from "node:crypto";

/** The lower-case hex SHA-256 of the bytes, or of the UTF-8 bytes of the text. */
export function sha256Hex(content: Uint8Array | string): string {
  return hash("sha256", content);
}
