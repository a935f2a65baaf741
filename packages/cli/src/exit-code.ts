import { errorCatalogue, type WriteAnswer } from "@connectors/domain";
import type { Failure } from "@connectors/sdk";
import { isUsage } from "./usage-failure.js";

/** What each exit code tells a script. */
export const exitCodes = {
  /** Applied with a successful result, or a read. */
  ok: 0,
  /** Nothing was done. */
  nothingDone: 1,
  usage: 2,
  /** Nobody knows. */
  unknown: 3,
  /** Applied, but the command failed, or its result is withheld or invalid. */
  appliedNotWell: 4,
  /** Interrupted before the gate. */
  interrupted: 130,
} as const;

function commandFailed(result: unknown): boolean {
  return (
    typeof result === "object" && result !== null && "exit_code" in result && result.exit_code !== 0
  );
}

/** The exit code that tells what is known of one write. */
export function exitCodeOf(answer: WriteAnswer): number {
  if (answer.classification === "unknown") return exitCodes.unknown;
  if (answer.classification === "applied") {
    return answer.failure !== null || commandFailed(answer.result)
      ? exitCodes.appliedNotWell
      : exitCodes.ok;
  }
  return answer.failure?.code === "interrupted" ? exitCodes.interrupted : exitCodes.nothingDone;
}

/** The exit code of a command that ended in a failure: 2 where its own words are wrong. */
export function exitCodeOfFailure(failure: Failure): number {
  if (isUsage(failure)) return exitCodes.usage;
  if (failure.effect === "unknown") return exitCodes.unknown;
  return errorCatalogue[failure.code].exit;
}
