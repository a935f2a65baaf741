import { resolvePath, type Container } from "../process/container.js";
import type { Sink, Source } from "../process/program.js";
import { bytesSource, emptySource, nullSink, zeroSource } from "../process/streams.js";
import { expandText, type Parameters } from "./expand.js";
import type { Fd, Redirect } from "./syntax.js";

/** The three streams of a command. */
export interface Streams {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** The streams after redirection, or what could not be opened. */
export type Redirected =
  | { readonly ok: true; readonly streams: Streams }
  | { readonly ok: false; readonly message: string };

/** What redirections are resolved against. */
export interface RedirectScope {
  readonly directory: string;
  readonly container: Container;
  readonly parameters: Parameters;
}

/** Applies redirections in their order, opening and truncating files as it goes. */
export function redirect(
  streams: Streams,
  redirects: readonly Redirect[],
  scope: RedirectScope,
): Redirected {
  let at = streams;
  for (const each of redirects) {
    if (each.redirect === "duplicate") {
      at = duplicate(at, each.fd, each.from);
      continue;
    }
    const name = expandText(each.target, scope.parameters);
    const path = resolvePath(scope.directory, name);
    if (each.mode === "read") {
      const source = openForReading(scope.container, path);
      if (source === undefined) return { ok: false, message: `can't open ${name}: no such file` };
      at = { ...at, stdin: source };
      continue;
    }
    const problem = scope.container.write(path, new Uint8Array(), each.mode === "append");
    if (problem !== undefined) {
      const why = problem === "No such file or directory" ? "nonexistent directory" : problem;
      return { ok: false, message: `can't create ${name}: ${why}` };
    }
    at = withSink(at, each.fd, fileSink(scope.container, path));
  }
  return { ok: true, streams: at };
}

/** Whether a command with these redirections still has the exec stream to write to. */
export function stillHolds(streams: Streams, redirects: readonly Redirect[]): boolean {
  let at = { out: streams.stdout.holds, err: streams.stderr.holds };
  for (const each of redirects) {
    if (each.fd === 0) continue;
    const holds =
      each.redirect === "duplicate" && (each.from === 1 ? at.out : each.from === 2 && at.err);
    at = each.fd === 1 ? { ...at, out: holds } : { ...at, err: holds };
  }
  return at.out || at.err;
}

function duplicate(streams: Streams, fd: Fd, from: Fd): Streams {
  if (from === 0 || fd === 0) return streams;
  return withSink(streams, fd, from === 1 ? streams.stdout : streams.stderr);
}

function withSink(streams: Streams, fd: Fd, sink: Sink): Streams {
  if (fd === 1) return { ...streams, stdout: sink };
  return fd === 2 ? { ...streams, stderr: sink } : streams;
}

function openForReading(container: Container, path: string): Source | undefined {
  switch (container.kindOf(path)) {
    case "file":
      return bytesSource(container.read(path));
    case "zero":
      return zeroSource;
    case "null":
      return emptySource;
    case "directory":
    case "missing":
      return undefined;
  }
}

/** Adds to a file; what there is no room for is lost, as on a disk that is full. */
function fileSink(container: Container, path: string): Sink {
  if (container.kindOf(path) !== "file") return nullSink;
  return {
    holds: false,
    *write(bytes) {
      container.write(path, bytes, true);
      yield { call: "pause" };
    },
  };
}
