import { open } from "node:fs/promises";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";

/** What a file holds, never more than `bytesMax`; `what` names it in a failure. */
export async function readBoundedFile(
  path: string,
  bytesMax: number,
  what: string,
): Promise<Outcome<Uint8Array>> {
  try {
    const handle = await open(path, "r");
    try {
      const buffer = Buffer.alloc(bytesMax + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
        length += bytesRead;
        if (bytesRead === 0 || length > bytesMax) break;
      }
      if (length > bytesMax) return fail("capacity", `${what} is longer than ${bytesMax} bytes`);
      return succeed(Uint8Array.from(buffer.subarray(0, length)));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return missing
      ? fail("not_found", `${what} is not there`, { hint: "Check the path." })
      : fail("unavailable", `${what} cannot be read`, {
          hint: "Check that it is a file, and its permissions.",
        });
  }
}

/** What stdin brings until its end, never more than `bytesMax`; `interrupted` by a signal. */
export async function readStdin(
  { stdin, interrupt }: World,
  bytesMax: number,
): Promise<Outcome<Uint8Array>> {
  const { signal } = interrupt;
  const pieces: Buffer[] = [];
  let length = 0;
  const stop = (): void => void stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const piece of stdin) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > bytesMax) return fail("capacity", `stdin is longer than ${bytesMax} bytes`);
      pieces.push(bytes);
    }
  } catch {
    // Destroyed by a signal, or broken: nobody can say which bytes are missing.
    if (!signal.aborted) return fail("unavailable", "stdin cannot be read");
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return signal.aborted
    ? fail("interrupted", "it was interrupted while it read stdin")
    : succeed(Uint8Array.from(Buffer.concat(pieces)));
}

/** What `--input` names: `-` is stdin, text that begins like JSON is itself, else a file. */
export async function readInputFlag(
  world: World,
  flag: string | undefined,
  bytesMax: number,
): Promise<Outcome<Uint8Array | null>> {
  if (flag === undefined) return succeed(null);
  if (flag === "-") return readStdin(world, bytesMax);
  if (flag.trimStart().startsWith("{")) return succeed(new TextEncoder().encode(flag));
  return readBoundedFile(flag, bytesMax, "the input file");
}
