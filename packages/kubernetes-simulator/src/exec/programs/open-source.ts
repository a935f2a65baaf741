import { resolvePath } from "../process/container.js";
import type { Process, Source } from "../process/program.js";
import { bytesSource, emptySource, zeroSource } from "../process/streams.js";

/** Bytes that programs read at a time. */
export const READ_BYTES = 32_768;

/** A file to read, or why there is none. */
export type Opened =
  | { readonly kind: "source"; readonly source: Source }
  | { readonly kind: "directory" | "missing" };

/** Opens `path` as the process sees it; `-` is its stdin. */
export function openSource(process: Process, path: string): Opened {
  if (path === "-") return { kind: "source", source: process.stdin };
  const resolved = resolvePath(process.directory, path);
  const kind = process.container.kindOf(resolved);
  switch (kind) {
    case "zero":
      return { kind: "source", source: zeroSource };
    case "null":
      return { kind: "source", source: emptySource };
    case "file":
      return { kind: "source", source: bytesSource(process.container.read(resolved)) };
    case "directory":
    case "missing":
      return { kind };
  }
}
