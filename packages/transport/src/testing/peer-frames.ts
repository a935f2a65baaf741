import { createHash } from "node:crypto";
import type { PeerScript } from "./hostile-peer.js";
import { headerOf, type PeerConnection, type SeenRequest } from "./peer-connection.js";

/** WebSocket opcodes by name. */
export const opcodes = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

/** One frame, well formed or not. */
export interface Frame {
  readonly opcode: number;
  readonly payload?: string | Uint8Array;
  /** True unless said otherwise. */
  readonly fin?: boolean;
  /** The three reserved bits, 0 to 7. */
  readonly reserved?: number;
  /** Servers do not mask; this one may. */
  readonly masked?: boolean;
  /** A length to announce that is not the payload's. */
  readonly announced?: number;
}

/** The bytes of a frame. */
export function encodeFrame(frame: Frame): Buffer {
  const payload = Buffer.from(frame.payload ?? "");
  const length = frame.announced ?? payload.length;
  const first = (frame.fin === false ? 0 : 0x80) | ((frame.reserved ?? 0) << 4) | frame.opcode;
  const mask = frame.masked === true ? 0x80 : 0;
  const header = encodeLength(first, mask, length);
  if (mask === 0) return Buffer.concat([header, payload]);
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}

function encodeLength(first: number, mask: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, mask | length]);
  if (length < 65_536) {
    const header = Buffer.from([first, mask | 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = mask | 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** A closing frame. */
export function encodeClose(code = 1000): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return encodeFrame({ opcode: opcodes.close, payload });
}

/** The accept key of a request, by RFC 6455. */
export function acceptKey(request: SeenRequest): string {
  const key = headerOf(request, "sec-websocket-key") ?? "";
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** How a peer words its 101; everything left out is as it should be. */
export interface SwitchAnswer {
  /** One `Sec-WebSocket-Protocol` line each; none for an empty list. */
  readonly protocols?: readonly string[];
  /** The `Upgrade` header, or null for none. */
  readonly upgrade?: string | null;
  /** The accept key, or null for none. */
  readonly accept?: string | null;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** The bytes of a 101 to `request`. */
export function encodeSwitch(request: SeenRequest, answer: SwitchAnswer = {}): Buffer {
  const offered = (headerOf(request, "sec-websocket-protocol") ?? "").split(",")[0] ?? "";
  const upgrade = answer.upgrade === undefined ? "websocket" : answer.upgrade;
  const accept = answer.accept === undefined ? acceptKey(request) : answer.accept;
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    ...(upgrade === null ? [] : [`Upgrade: ${upgrade}`, "Connection: Upgrade"]),
    ...(accept === null ? [] : [`Sec-WebSocket-Accept: ${accept}`]),
    ...(answer.protocols ?? [offered.trim()]).map((name) => `Sec-WebSocket-Protocol: ${name}`),
    ...(answer.headers ?? []).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** A script that switches as `answer` words it, then does `then` with the connection. */
export function switching(
  then: (connection: PeerConnection) => Promise<void>,
  answer: SwitchAnswer = {},
): PeerScript {
  return async (connection) => {
    const request = await connection.readRequest();
    if (request === undefined) return;
    await connection.write(encodeSwitch(request, answer));
    await then(connection);
  };
}

/** One frame that a client sent, unmasked. */
export interface ReadFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly masked: boolean;
}

/** The frames of bytes that a client sent; a last, unfinished one is left out. */
export function decodeClientFrames(bytes: Buffer): readonly ReadFrame[] {
  const frames: ReadFrame[] = [];
  let at = 0;
  while (at + 6 <= bytes.length) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    const second = bytes[at + 1] ?? 0;
    const length = second & 0x7f;
    // Clients here send nothing but control frames, and those are short.
    if (length > 125 || at + 6 + length > bytes.length) break;
    const mask = bytes.subarray(at + 2, at + 6);
    const payload = Buffer.from(bytes.subarray(at + 6, at + 6 + length));
    for (let i = 0; i < payload.length; i += 1) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
    frames.push({ opcode, payload, masked: (second & 0x80) !== 0 });
    at += 6 + length;
  }
  return frames;
}
