import { encodeJson } from "../go-format.js";
import { makeFailure, type Status, type StatusDetails } from "../status.js";
import type { Subprotocol } from "./subprotocol.js";

/** How a command ended, as far as whoever writes its status has heard. */
export type CommandResult =
  | { readonly result: "exited"; readonly code: number; readonly argv: readonly string[] }
  /** The container runtime could not start the command, or lost it. */
  | { readonly result: "failed"; readonly why: string }
  /** The API server got no stream from the kubelet. Only v5 has to say so on a stream. */
  | { readonly result: "unreachable"; readonly why: string }
  /** A script's own words. */
  | { readonly result: "scripted"; readonly status: string };

/** What the status channel carries for `result`; nothing where a subprotocol has nothing to say. */
export function encodeResult(subprotocol: Subprotocol, result: CommandResult): string | undefined {
  if (result.result === "scripted") return result.status;
  if (result.result === "exited" && result.code === 0) {
    return subprotocol.ending === "status" ? SUCCESS : undefined;
  }
  const failure = failureOf(subprotocol, result);
  return subprotocol.ending === "status" ? encodeStreamStatus(failure) : failure.message;
}

const SUCCESS = '{"metadata":{},"status":"Success"}';

/** The Status of a command that ended before its stream did. A Status of a stream has no kind. */
function encodeStreamStatus({ kind: _kind, apiVersion: _apiVersion, ...members }: Status): string {
  return encodeJson(members);
}

function failureOf(
  subprotocol: Subprotocol,
  result: Exclude<CommandResult, { readonly result: "scripted" }>,
): Status {
  switch (result.result) {
    case "exited":
      return nonZero(subprotocol, result.code, result.argv);
    case "failed": {
      const why = `error executing command in container: ${result.why}`;
      return internalError(subprotocol.spokenBy === "server" ? `${INTERNAL}${why}` : why);
    }
    case "unreachable":
      return internalError(result.why);
  }
}

const INTERNAL = "Internal error occurred: ";

function nonZero(subprotocol: Subprotocol, code: number, argv: readonly string[]): Status {
  const why =
    subprotocol.spokenBy === "server"
      ? `command terminated with exit code ${code}`
      : `error executing command [${argv.join(" ")}], exit code ${code}`;
  const details: StatusDetails = { causes: [{ reason: "ExitCode", message: String(code) }] };
  const message = `command terminated with non-zero exit code: ${why}`;
  const { code: _code, ...failure } = makeFailure(0, "NonZeroExitCode", message, details);
  return failure;
}

function internalError(why: string): Status {
  return makeFailure(500, "InternalError", `${INTERNAL}${why}`, { causes: [{ message: why }] });
}
