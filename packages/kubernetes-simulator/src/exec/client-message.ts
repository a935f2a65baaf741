import type { RawData } from "ws";

import { CHANNEL } from "./stream-machine.js";
import type { Subprotocol } from "./subprotocol.js";

/** What one message from a client says. */
export type ClientMessage =
  | { readonly kind: "stdin"; readonly bytes: Uint8Array }
  | { readonly kind: "stdin_closed" }
  /** A terminal's size, a channel that nobody reads, no channel at all: taken and forgotten. */
  | { readonly kind: "other" }
  /** A signal that names no channel: the server gives the stream up. */
  | { readonly kind: "broken" };

/** Announces, under v5, that a channel will bring no more; the channel's byte follows. */
const STREAM_CLOSE = 0xff;
const DIGIT_ZERO = 0x30;

/** Reads one message as Go's channel server does. Text and binary make no difference to it. */
export function decodeClientMessage(subprotocol: Subprotocol, data: RawData): ClientMessage {
  const bytes = bytesOf(data);
  const [first] = bytes;
  if (first === undefined) return { kind: "other" };
  if (first === STREAM_CLOSE && subprotocol.spokenBy === "server") return decodeClose(bytes);
  const isText = subprotocol.encoding === "base64";
  const channel = isText ? first - DIGIT_ZERO : first;
  if (channel !== CHANNEL.stdin) return { kind: "other" };
  const rest = bytes.subarray(1);
  return { kind: "stdin", bytes: isText ? Buffer.from(rest.toString(), "base64") : rest };
}

function decodeClose(bytes: Uint8Array): ClientMessage {
  const [, channel, ...more] = bytes;
  const isChannel = channel !== undefined && channel <= CHANNEL.resize;
  if (!isChannel || more.length > 0) return { kind: "broken" };
  return channel === CHANNEL.stdin ? { kind: "stdin_closed" } : { kind: "other" };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
