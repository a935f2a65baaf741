import type { WebSocket } from "ws";
import { streamBufferBytesMax, upgradePingMs } from "@connectors/domain";
import type { MessageStream, StreamEnd, Timers, UpgradeBounds } from "@connectors/sdk";
import type { Deadline } from "./deadline.js";
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

// Of one read a peer can make tens of thousands of empty messages; each costs this much to keep.
const messageOverheadBytes = 64;

/**
 * Whole binary messages of a socket that has just been accepted. Must be called before anything
 * else happens to it. Owns socket and deadline; both are let go at the stream's end.
 */
export function makeMessageStream(plan: MessageStreamPlan): MessageStream {
  const { socket, bounds, deadline, timers } = plan;
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let state: StreamState = openState;
  let asked: ((next: Next) => void) | undefined;
  let heard = false;
  let stopPing: (() => void) | undefined;

  function step(input: StreamInput): void {
    if (state.at !== "open") return;
    state = stepStream(state, input, bounds);
    if (state.at === "open") return;
    deadline.release();
    stopPing?.();
    // Nothing more is wanted of the peer, and a hostile one does not get to say goodbye.
    socket.terminate();
    asked?.(state.end);
    asked = undefined;
  }
  function deliver(message: Uint8Array): void {
    if (asked !== undefined) {
      const give = asked;
      asked = undefined;
      give({ message });
      return;
    }
    waiting.push(message);
    waitingBytes += message.length + messageOverheadBytes;
    if (waitingBytes >= streamBufferBytesMax) socket.pause();
  }
  function pingLater(): void {
    stopPing = timers.after(upgradePingMs, () => {
      // A silent peer is no dead one: this keeps those between us awake, and finds a reset.
      if (!heard && socket.readyState === socket.OPEN) socket.ping();
      heard = false;
      pingLater();
    });
  }

  socket.on("message", (data, isBinary) => {
    heard = true;
    if (!isBinary || !Buffer.isBuffer(data)) {
      step({ saw: "violation" });
      return;
    }
    step({ saw: "message", bytes: data.length });
    if (state.at === "open") deliver(plainBytes(data));
  });
  for (const signOfLife of ["ping", "pong"] as const) {
    socket.on(signOfLife, () => {
      heard = true;
    });
  }
  socket.on("error", (error) => step(inputOf(error)));
  // 1006 is no code that travels: ws gives it when no closing frame came.
  socket.on("close", (code) => step({ saw: code === 1006 ? "loss" : "close" }));
  deadline.onStop((cause) => step({ saw: cause === "timeout" ? "deadline" : "stop" }));
  if (state.at === "open") pingLater();

  return {
    protocol: socket.protocol,
    next() {
      const message = waiting.shift();
      if (message !== undefined) {
        waitingBytes -= message.length + messageOverheadBytes;
        if (waiting.length === 0 && socket.isPaused) socket.resume();
        return Promise.resolve({ message });
      }
      if (state.at !== "open") return Promise.resolve(state.end);
      if (asked !== undefined) {
        return Promise.reject(new Error("invariant broken: one next() at a time"));
      }
      return new Promise((resolve) => {
        asked = resolve;
      });
    },
    [Symbol.asyncDispose]() {
      waiting.length = 0;
      step({ saw: "stop" });
      return Promise.resolve();
    },
  };
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
