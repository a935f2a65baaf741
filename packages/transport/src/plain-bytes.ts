/**
 * The same bytes, not copied, as the type that ports promise: a `Buffer` is one by name, but its
 * `slice` does not copy.
 */
export function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/**
 * The first `bytes` of the chunks, in memory of their own: Node keeps short buffers in shared
 * pools, and whoever is handed one can reach its neighbours.
 */
export function joinBytes(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    if (at === bytes) break;
    const part = chunk.length > bytes - at ? chunk.subarray(0, bytes - at) : chunk;
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
