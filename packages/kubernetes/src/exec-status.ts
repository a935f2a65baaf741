import {
  isExecStatusReason,
  type ExecSettleStatus,
  type ExecStatusReason,
} from "@connectors/domain";
import { parseExecStatus, type Status } from "@connectors/kubernetes-client/request";
import { joinKeptBytes, type KeptBytes } from "./kept-bytes.js";

/** What the status frames of a stream amount to. */
export interface ExecStatusFact {
  readonly status: ExecSettleStatus;
  /** The code of `exit`; 0 otherwise, and then not to be used. */
  readonly exitCode: number;
  /** For a person, from a closed set; null without a status. */
  readonly reason: ExecStatusReason | null;
}

/** The fact in a stream's status frames, read as one document. */
export function describeExecStatus(kept: KeptBytes): ExecStatusFact {
  if (kept.seenBytes === 0) return { status: "none", exitCode: 0, reason: null };
  const parsed = parseExecStatus(joinKeptBytes(kept));
  if (!parsed.ok) return { status: "other", exitCode: 0, reason: "other" };
  const status = parsed.value;
  if (status.status === "Success") return { status: "success", exitCode: 0, reason: "Success" };
  const reason = isExecStatusReason(status.reason) ? status.reason : "other";
  const exitCode = readExitCode(status);
  return exitCode === undefined
    ? { status: "other", exitCode: 0, reason }
    : { status: "exit", exitCode, reason };
}

// One to three digits without a leading zero.
const canonicalDigits = /^[1-9][0-9]{0,2}$/;

/** The code of a NonZeroExitCode with exactly one ExitCode cause, 1 to 255; undefined else. */
function readExitCode({ reason, details }: Status): number | undefined {
  const causes = details?.causes.filter((cause) => cause.reason === "ExitCode") ?? [];
  const message = causes[0]?.message ?? "";
  if (reason !== "NonZeroExitCode" || causes.length !== 1 || !canonicalDigits.test(message)) {
    return undefined;
  }
  const code = Number(message);
  return code <= 255 ? code : undefined;
}
