import { execBounds } from "../exec-bounds.js";
import { encodeText } from "./program.js";

/** What a path is. */
export type PathKind = "file" | "directory" | "zero" | "null" | "missing";

/** What the processes of one container share. */
export interface Container {
  readonly hostname: string;
  readonly environment: ReadonlyMap<string, string>;
  readonly kindOf: (path: string) => PathKind;
  /** The bytes of a file; empty for anything else. */
  readonly read: (path: string) => Uint8Array;
  /** Adds to a file, or replaces it; says what is wrong when it cannot. */
  readonly write: (path: string, bytes: Uint8Array, append: boolean) => WriteProblem | undefined;
  /** The next process id. */
  readonly nextPid: () => number;
}

/** Why a file was not written. */
export type WriteProblem =
  | "No such file or directory"
  | "Is a directory"
  | "No space left on device";

/** What a container is made of. */
export interface ContainerImage {
  readonly hostname: string;
  readonly environment: ReadonlyMap<string, string>;
  /** Files by absolute path, added to those that every container has. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const DIRECTORIES: readonly string[] = [
  "/",
  "/bin",
  "/dev",
  "/etc",
  "/proc",
  "/sys",
  "/tmp",
  "/var",
];

/** The first id that a command gets: 1 is the container's main process. */
const FIRST_PID = 7;

/** A container that has just been started. */
export function makeContainer(image: ContainerImage): Container {
  const files = new Map<string, Uint8Array>([
    ["/etc/passwd", encodeText("root:x:0:0:root:/root:/bin/sh\n")],
    ["/etc/hostname", encodeText(`${image.hostname}\n`)],
    ...image.files,
  ]);
  let pid = FIRST_PID - 1;
  let bytesHeld = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);

  const isDirectory = (path: string): boolean =>
    DIRECTORIES.includes(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`));
  const kindOf = (path: string): PathKind => {
    if (path === "/dev/zero") return "zero";
    if (path === "/dev/null") return "null";
    if (files.has(path)) return "file";
    return isDirectory(path) ? "directory" : "missing";
  };
  const read = (path: string): Uint8Array => files.get(path) ?? new Uint8Array();

  return {
    hostname: image.hostname,
    environment: image.environment,
    kindOf,
    read,
    write: (path, bytes, append) => {
      const kind = kindOf(path);
      if (kind === "directory") return "Is a directory";
      if (kind === "null" || kind === "zero") return undefined;
      if (!isDirectory(parentOf(path))) return "No such file or directory";
      const before = read(path);
      const size = (append ? before.length : 0) + bytes.length;
      const held = bytesHeld - before.length + size;
      const isFull = kind === "missing" && files.size >= execBounds.filesMax;
      if (isFull || size > execBounds.fileBytesMax || held > execBounds.filesBytesMax) {
        return "No space left on device";
      }
      files.set(path, append ? Buffer.concat([before, bytes]) : Uint8Array.from(bytes));
      bytesHeld = held;
      return undefined;
    },
    nextPid: () => {
      pid += 1;
      return pid;
    },
  };
}

/** `path` from the root on, as seen from `directory`; `.`, `..` and doubled slashes resolved. */
export function resolvePath(directory: string, path: string): string {
  const resolved: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
    if (name === "..") resolved.pop();
    else if (name !== "" && name !== ".") resolved.push(name);
  }
  return `/${resolved.join("/")}`;
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
