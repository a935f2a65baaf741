import { open, type FileHandle } from "node:fs/promises";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** A file that may be missing, and what it is for in words that may be shown. */
export interface FileRequest {
  readonly path: string;
  /** For messages, such as `the kubeconfig`; the path itself is never repeated. */
  readonly what: string;
  readonly bytesMax: number;
}

/**
 * The whole content of one regular file, or undefined when there is no such file.
 *
 * `unavailable` when it cannot be read, `invalid_input` when it is no regular file, `capacity`
 * when it is longer than `bytesMax`, of which no more than one byte too many was ever read.
 */
export async function readFileIfThere(request: FileRequest): Promise<Outcome<Buffer | undefined>> {
  const { path, what } = request;
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return succeed(undefined);
    return fail("unavailable", `${what} cannot be opened (${code})`);
  }
  try {
    return await readWhole(file, request);
  } catch (error) {
    return fail("unavailable", `${what} cannot be read (${systemCode(error)})`);
  } finally {
    await file.close();
  }
}

/** As `readFileIfThere`; a missing file is `unavailable`. */
export async function readNamedFile(request: FileRequest): Promise<Outcome<Buffer>> {
  const read = await readFileIfThere(request);
  if (!read.ok) return read;
  if (read.value !== undefined) return succeed(read.value);
  return fail("unavailable", `${request.what} does not exist`);
}

async function readWhole(file: FileHandle, request: FileRequest): Promise<Outcome<Buffer>> {
  const { what, bytesMax } = request;
  // A pipe could block for ever, and a device never ends.
  const stats = await file.stat();
  if (!stats.isFile()) return fail("invalid_input", `${what} is not a regular file`);
  const buffer = Buffer.alloc(Math.min(stats.size, bytesMax) + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return succeed(buffer.subarray(0, length));
    length += bytesRead;
  }
  if (length > bytesMax) return fail("capacity", `${what} is longer than ${bytesMax} bytes`);
  return fail("unavailable", `${what} grew while it was read`);
}

function systemCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,32}$/.test(code) ? code : "unknown";
}
