import { createHash } from "node:crypto";

/** The lowercase hex SHA-256 of bytes, or of text as UTF-8. */
export function sha256Of(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
