import type { UpgradedStreamState } from "@connectors/domain";
import { makeFailure, unreachable, type StreamEnd, type UpgradeBounds } from "@connectors/sdk";
import { makeTransportFailure } from "./network-failure.js";

/** Something that happened to an open stream. */
export type StreamInput =
  | { readonly saw: "message"; readonly bytes: number }
  /** A text message, a broken frame: not what the port speaks. */
  | { readonly saw: "violation" }
  /** A message, or the pieces of one, over what it may be. */
  | { readonly saw: "oversize" }
  /** The peer's closing frame, and then the end of the connection. */
  | { readonly saw: "close" }
  /** The end of the connection, and no closing frame. */
  | { readonly saw: "loss" }
  | { readonly saw: "deadline" }
  /** The caller stopped it, or gave the stream back. */
  | { readonly saw: "stop" };

/** An open stream and what came through it, or its one end. */
export type StreamState =
  | { readonly at: "open"; readonly totalBytes: number }
  | {
      readonly at: Extract<UpgradedStreamState, "closed" | "lost" | "truncated" | "deadline">;
      readonly end: StreamEnd;
    };

/** The state of a stream that was just accepted. */
export const openState: StreamState = { at: "open", totalBytes: 0 };

/**
 * The next state. A message is delivered exactly when the stream is still open after it; an ended
 * stream stays as it ended.
 */
export function stepStream(
  state: StreamState,
  input: StreamInput,
  bounds: UpgradeBounds,
): StreamState {
  if (state.at !== "open") return state;
  switch (input.saw) {
    case "message": {
      if (input.bytes > bounds.messageBytesMax) return truncated();
      const totalBytes = state.totalBytes + input.bytes;
      return totalBytes > bounds.totalBytesMax ? truncated() : { at: "open", totalBytes };
    }
    case "oversize":
      return truncated();
    case "close":
      return { at: "closed", end: { end: "closed" } };
    case "deadline": {
      const failure = makeFailure("timeout", "The deadline of the stream passed.");
      return { at: "deadline", end: { end: "deadline", failure } };
    }
    case "violation": {
      const message = "The peer sent what the stream's protocol does not allow.";
      return lost(makeFailure("upstream_protocol", message));
    }
    case "loss":
      return lost(makeTransportFailure("connection_lost"));
    case "stop":
      return lost(makeFailure("unavailable", "The stream has been given up."));
    default:
      return unreachable(input);
  }
}

function truncated(): StreamState {
  const failure = makeFailure("capacity", "The stream carried more than its bound.");
  return { at: "truncated", end: { end: "truncated", failure } };
}

function lost(failure: ReturnType<typeof makeFailure>): StreamState {
  return { at: "lost", end: { end: "lost", failure } };
}
