/**
 * The same bytes, not copied, as the type that ports promise: a `Buffer` is one by name, but its
 * `slice` does not copy.
 */
export function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
