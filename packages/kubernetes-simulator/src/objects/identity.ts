import type { Random } from "../ports.js";

// Letters of generated names: no vowels and nothing that looks like another.
const NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const GENERATED_PREFIX_MAX = 58;

/** A fresh UUID of version 4. */
export function makeUid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join("-");
}

/** `prefix` with a random ending, as `generateName` asks for. */
export function makeGeneratedName(prefix: string, random: Random): string {
  return `${prefix.slice(0, GENERATED_PREFIX_MAX)}${makeNameEnding(random)}`;
}

/** Five random letters. */
export function makeNameEnding(random: Random): string {
  return [...random.bytes(5)].map((byte) => NAME_LETTERS[byte % NAME_LETTERS.length]).join("");
}

/** A hash of `text` in the letters of names, for Pod template hashes. */
export function hashName(text: string): string {
  // FNV-1a over UTF-16 units is enough to tell templates apart.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return Array.from(String(hash >>> 0))
    .map((digit) => NAME_LETTERS[digit.charCodeAt(0) % NAME_LETTERS.length])
    .join("");
}
