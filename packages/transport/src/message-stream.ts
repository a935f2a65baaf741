import type { WebSocket } from "ws";
import { streamBufferBytesMax, upgradePingMs } from "@connectors/domain";
import type { MessageStream, StreamEnd, Timers, UpgradeBounds } from "@connectors/sdk";
import type { Deadline } from "./deadline.js";
import { keptOverheadBytes, makeHandout } from "./handout.js";
import { openState, stepStream, type StreamInput, type StreamState } from "./message-machine.js";
import { codeOf } from "./network-failure.js";
import { plainBytes } from "./plain-bytes.js";

type Next = { readonly message: Uint8Array } | StreamEnd;

/** What a stream takes over: the socket, and the deadline that its handshake began. */
export interface MessageStreamPlan {
  readonly socket: WebSocket;
  readonly bounds: UpgradeBounds;
  readonly deadline: Deadline;
  readonly timers: Timers;
}

/**
 * Whole binary messages of a socket that has just been accepted. Must be called before anything
 * else happens to it. Owns socket and deadline; both are let go at the stream's end.
 */
export function makeMessageStream(plan: MessageStreamPlan): MessageStream {
  const { socket, bounds, deadline } = plan;
  const handout = makeHandout<Next>(streamBufferBytesMax, {
    hold: () => socket.pause(),
    release: () => socket.resume(),
  });
  let state: StreamState = openState;
  let stopPings: (() => void) | undefined;

  function step(input: StreamInput): void {
    if (state.at !== "open") return;
    state = stepStream(state, input, bounds);
    if (state.at === "open") return;
    deadline.release();
    stopPings?.();
    // Nothing more is wanted of the peer, and a hostile one does not get to say goodbye.
    socket.terminate();
    handout.end(state.end);
  }

  socket.on("message", (data, isBinary) => {
    if (!isBinary || !Buffer.isBuffer(data)) {
      step({ saw: "violation" });
      return;
    }
    step({ saw: "message", bytes: data.length });
    if (state.at !== "open") return;
    handout.offer({ message: plainBytes(data) }, data.length + keptOverheadBytes);
  });
  socket.on("error", (error) => step(inputOf(error)));
  // 1006 is no code that travels: ws gives it when no closing frame came.
  socket.on("close", (code) => step({ saw: code === 1006 ? "loss" : "close" }));
  deadline.onStop((cause) => step({ saw: cause === "timeout" ? "deadline" : "stop" }));
  if (isOpen()) stopPings = startPings(plan);

  function isOpen(): boolean {
    return state.at === "open";
  }

  return {
    protocol: socket.protocol,
    next: () => handout.next(),
    [Symbol.asyncDispose]() {
      handout.clear();
      step({ saw: "stop" });
      return Promise.resolve();
    },
  };
}

/**
 * Pings a peer that has been silent for a while. A silent peer is no dead one, so nothing is made
 * of a missing answer: this keeps whatever lies between awake, and finds a connection that is gone.
 */
function startPings({ socket, timers }: MessageStreamPlan): () => void {
  let heard = false;
  let stop: (() => void) | undefined;
  for (const sign of ["message", "ping", "pong"] as const) {
    socket.on(sign, () => {
      heard = true;
    });
  }
  function wait(): void {
    stop = timers.after(upgradePingMs, () => {
      if (!heard && socket.readyState === socket.OPEN) socket.ping();
      heard = false;
      wait();
    });
  }
  wait();
  return () => stop?.();
}

function inputOf(error: unknown): StreamInput {
  const code = codeOf(error);
  if (
    code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH" ||
    code === "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH" ||
    code === "WS_ERR_TOO_MANY_BUFFERED_PARTS"
  ) {
    return { saw: "oversize" };
  }
  return { saw: code.startsWith("WS_ERR_") ? "violation" : "loss" };
}
