import { encodeResult, type CommandResult } from "./exec-status.js";
import { execBounds } from "./exec-bounds.js";
import type { Subprotocol } from "./subprotocol.js";

/** The channels of a stream. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

/** An accepted stream, as far as its messages depend on what has been. */
export interface StreamState {
  readonly phase: "accepted" | "open" | "ended";
  readonly subprotocol: Subprotocol;
  /** The outputs that the request asked for. */
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** What happens to a stream. */
export type StreamInput =
  /** The switch has been written. */
  | { readonly input: "switched" }
  | { readonly input: "output"; readonly channel: 1 | 2; readonly bytes: Uint8Array }
  | { readonly input: "finished"; readonly result: CommandResult }
  /** The kubelet, or its connection to the API server, is gone. */
  | { readonly input: "node_lost" }
  /** The API server's process is gone. */
  | { readonly input: "server_killed" }
  /** The client has closed, or sent what no stream can go on after. */
  | { readonly input: "client_gone" }
  | { readonly input: "client_broke" };

/** What is done to the connection, in this order. */
export type StreamOutput =
  | { readonly output: "message"; readonly channel: number; readonly bytes: Uint8Array }
  | { readonly output: "close" }
  /** The end of the connection without a close frame, after what was written. */
  | { readonly output: "cut" }
  /** The same, whatever is still waiting to be written. */
  | { readonly output: "kill" };

/** A state, and what its making has to do. */
export interface StreamStep {
  readonly state: StreamState;
  readonly outputs: readonly StreamOutput[];
}

const EMPTY = new Uint8Array();

/** A stream whose switch is about to be written. */
export function makeStreamState(
  subprotocol: Subprotocol,
  asked: { readonly stdout: boolean; readonly stderr: boolean },
): StreamState {
  const { stdout, stderr } = asked;
  return { phase: "accepted", subprotocol, stdout, stderr };
}

/** What a stream does at `input`: the one table of who says what when something dies. */
export function stepStream(state: StreamState, input: StreamInput): StreamStep {
  if (state.phase === "ended") return { state, outputs: [] };
  switch (input.input) {
    case "switched":
      return { state: { ...state, phase: "open" }, outputs: [greeting(state)] };
    case "output":
      return { state, outputs: messages(state, input.channel, input.bytes) };
    case "finished":
      return end(state, [...statusOf(state, input.result), { output: "close" }]);
    case "node_lost":
      return end(state, lossOf(state));
    case "server_killed":
      return end(state, [{ output: "kill" }]);
    case "client_broke":
      return end(state, [{ output: "close" }]);
    case "client_gone":
      return end(state, []);
  }
}

function end(state: StreamState, outputs: readonly StreamOutput[]): StreamStep {
  return { state: { ...state, phase: "ended" }, outputs };
}

// The first message tells the client that the stream stands: no bytes, on the lowest channel.
function greeting(state: StreamState): StreamOutput {
  const { stdout, stderr } = CHANNEL;
  const channel = state.stdout ? stdout : state.stderr ? stderr : CHANNEL.status;
  return { output: "message", channel, bytes: EMPTY };
}

function messages(state: StreamState, channel: 1 | 2, bytes: Uint8Array): readonly StreamOutput[] {
  if (channel === CHANNEL.stdout ? !state.stdout : !state.stderr) return [];
  const outputs: StreamOutput[] = [];
  for (let at = 0; at < bytes.length; at += execBounds.outputBytesMax) {
    const piece = bytes.subarray(at, at + execBounds.outputBytesMax);
    outputs.push({ output: "message", channel, bytes: piece });
  }
  return outputs;
}

function statusOf(state: StreamState, result: CommandResult): readonly StreamOutput[] {
  const text = encodeResult(state.subprotocol, result);
  if (text === undefined) return [];
  return [{ output: "message", channel: CHANNEL.status, bytes: Buffer.from(text) }];
}

/**
 * What a client sees of a node that is lost. A server that ends the WebSocket itself takes the end
 * of the kubelet's error stream for an empty error, and writes a Success that nobody has sent it.
 */
function lossOf(state: StreamState): readonly StreamOutput[] {
  if (state.subprotocol.spokenBy === "kubelet") return [{ output: "cut" }];
  return [...statusOf(state, { result: "exited", code: 0, argv: [] }), { output: "close" }];
}
