import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

import { execBounds } from "./exec-bounds.js";
import type { Subprotocol } from "./subprotocol.js";

/** The connection of an accepted stream, to write to. Nothing here throws once it is closed. */
export interface Wire {
  /** One message of a channel, whole. */
  readonly message: (channel: number, bytes: Uint8Array) => void;
  /** A text message, whatever the subprotocol. */
  readonly text: (text: string) => void;
  /** A binary message without even a channel's byte. */
  readonly empty: () => void;
  /** Bytes outside any frame. */
  readonly raw: (bytes: Uint8Array) => void;
  readonly ping: () => void;
  /** A close frame, then the connection's end: as in Go's server no answer is awaited. */
  readonly close: (code: number) => void;
  /** The end of the connection after what was written. */
  readonly cut: () => void;
  /** The end of the connection at once. */
  readonly kill: () => void;
  /** Reads nothing any more, pings and closes included. */
  readonly deafen: () => void;
  readonly pauseReading: () => void;
  readonly resumeReading: () => void;
  /** Whether the client has to read before more is written. */
  readonly isFull: () => boolean;
  /** Calls `listener` when what has been written until now has left. */
  readonly whenWritten: (listener: () => void) => void;
}

/** A wire over a WebSocket that has just been accepted on `connection`. */
export function makeWire(socket: WebSocket, connection: Duplex, subprotocol: Subprotocol): Wire {
  let deaf = false;
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  const send = (data: string | Uint8Array, binary: boolean): void => {
    if (isOpen()) socket.send(data, { binary }, ignore);
  };
  return {
    message: (channel, bytes) => {
      if (subprotocol.encoding === "binary") return send(withChannel(channel, bytes), true);
      send(`${channel}${Buffer.from(bytes).toString("base64")}`, false);
    },
    text: (text) => send(text, false),
    empty: () => send(new Uint8Array(), true),
    raw: (bytes) => {
      if (connection.writable) connection.write(bytes);
    },
    ping: () => {
      if (isOpen()) socket.ping(undefined, undefined, ignore);
    },
    close: (code) => {
      if (isOpen()) socket.close(code);
      connection.end();
    },
    cut: () => {
      connection.end(() => connection.destroy());
    },
    kill: () => {
      connection.destroy();
    },
    deafen: () => {
      deaf = true;
      socket.pause();
    },
    pauseReading: () => socket.pause(),
    resumeReading: () => {
      if (!deaf) socket.resume();
    },
    isFull: () => socket.bufferedAmount > execBounds.outputWaitingBytesMax,
    whenWritten: (listener) => {
      if (connection.writableNeedDrain) connection.once("drain", listener);
      else queueMicrotask(listener);
    },
  };
}

// A write that fails is a connection that ends, which is heard of by its `close`.
function ignore(): void {}

function withChannel(channel: number, bytes: Uint8Array): Uint8Array {
  const message = Buffer.allocUnsafe(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}
