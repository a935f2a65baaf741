import {
  execConsumedBytesMax,
  statusBytesMax,
  stepExecStream,
  type ExecSettleEnd,
  type ExecStreamEvent,
  type ExecStreamState,
} from "@connectors/domain";
import { execChannels } from "@connectors/kubernetes-client/request";
import { invariant, type Failure, type StreamEnd } from "@connectors/sdk";
import { keepNothing, stepKeptBytes, type KeptBytes } from "./kept-bytes.js";

/** What has been seen of an accepted exec stream. */
export interface ExecStream {
  readonly state: ExecStreamState;
  readonly stdout: KeptBytes;
  readonly stderr: KeptBytes;
  /** The status frames' bytes, in order; read as one document when the stream has ended. */
  readonly status: KeptBytes;
  /** Of all messages, channel bytes included. */
  readonly consumedBytes: number;
  /** `none` while it goes on. */
  readonly end: ExecSettleEnd;
  /** Why it was lost; null for every other end. */
  readonly lost: Failure | null;
}

/** A stream of which nothing was seen, keeping `outputBytesMax` of stdout and stderr each. */
export function startExecStream(outputBytesMax: number): ExecStream {
  return {
    state: "streaming",
    stdout: keepNothing(outputBytesMax),
    stderr: keepNothing(outputBytesMax),
    status: keepNothing(statusBytesMax),
    consumedBytes: 0,
    end: "none",
    lost: null,
  };
}

/**
 * The stream after one whole message. A violation or an overflow ends it at once, whatever came
 * before; output after a status counts like any other.
 */
export function stepExecMessage(stream: ExecStream, message: Uint8Array): ExecStream {
  const channel = message[0];
  if (channel === undefined) return move(stream, "break", { end: "violation" });
  const consumedBytes = stream.consumedBytes + message.byteLength;
  if (consumedBytes > execConsumedBytesMax) return move(stream, "break", { end: "overflow" });
  // A channel byte without data is ordinary: every real stream starts with one.
  const data = message.subarray(1);
  switch (channel) {
    case execChannels.stdout:
      return { ...stream, consumedBytes, stdout: stepKeptBytes(stream.stdout, data) };
    case execChannels.stderr:
      return { ...stream, consumedBytes, stderr: stepKeptBytes(stream.stderr, data) };
    case execChannels.status:
      return stepStatus({ ...stream, consumedBytes }, data);
    default:
      return move(stream, "break", { end: "violation" });
  }
}

/** The stream after its end. */
export function stepExecEnd(stream: ExecStream, end: StreamEnd): ExecStream {
  return move(stream, "end", { end: end.end, lost: end.end === "lost" ? end.failure : null });
}

/** True when nothing more is looked at. */
export function isExecOver(stream: ExecStream): boolean {
  return stream.end !== "none";
}

function stepStatus(stream: ExecStream, data: Uint8Array): ExecStream {
  const status = stepKeptBytes(stream.status, data);
  if (status.seenBytes > statusBytesMax) return move(stream, "break", { end: "violation" });
  const first = stream.state === "streaming" && status.seenBytes > 0;
  return first ? move(stream, "report", { status }) : { ...stream, status };
}

function move(
  stream: ExecStream,
  event: ExecStreamEvent,
  change: Partial<Pick<ExecStream, "end" | "lost" | "status">>,
): ExecStream {
  const state = stepExecStream(stream.state, event);
  invariant(state !== undefined, `an exec stream makes legal moves (${event})`);
  return { ...stream, ...change, state };
}
