import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer, type WebSocket } from "ws";

import type { HandshakeBreak } from "../faults/exec-fault.js";
import { execBounds } from "./exec-bounds.js";
import type { Subprotocol } from "./subprotocol.js";

/** A refusal as Go's WebSocket server writes it: no Date, no length, the connection's end. */
export interface HandshakeRefusal {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const KEY = /^[+/0-9A-Za-z]{22}==$/u;
const VERSION = "13";

/** What is wrong with a request to switch to WebSocket, in the order in which Go looks at it. */
export function checkHandshake(request: IncomingMessage): HandshakeRefusal | undefined {
  if (request.method !== "GET") {
    return { status: 405, reason: "Method Not Allowed", headers: [], body: "bad method" };
  }
  if (!KEY.test(request.headers["sec-websocket-key"] ?? "")) {
    return badRequest([], "mismatch challenge/response");
  }
  if (request.headers["sec-websocket-version"] !== VERSION) {
    return badRequest([`Sec-Websocket-Version: ${VERSION}`], "missing or bad WebSocket Version");
  }
  return undefined;
}

/** The answer to an offer of nothing that is spoken here. */
export const NO_SUBPROTOCOL: HandshakeRefusal = {
  status: 403,
  reason: "Forbidden",
  headers: [],
  body: "",
};

/** Writes a refusal and ends the connection. One that the kubelet gave says that it closes. */
export function writeRefusal(
  connection: Duplex,
  refusal: HandshakeRefusal,
  from: Subprotocol["spokenBy"],
): void {
  const closing = from === "kubelet" ? ["Connection: close"] : [];
  const head = [`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...closing, ...refusal.headers];
  connection.end(`${head.join("\r\n")}\r\n\r\n${refusal.body}`);
}

/** What a switch is made of. */
export interface Switch {
  readonly request: IncomingMessage;
  readonly connection: Duplex;
  readonly head: Buffer;
  readonly subprotocol: Subprotocol;
  /** How the answer is spoiled, if at all. */
  readonly broken: HandshakeBreak | undefined;
}

/** Writes the 101 and hands the connection to `accepted`. The handshake has been checked. */
export function acceptWebSocket(
  { request, connection, head, subprotocol, broken }: Switch,
  accepted: (socket: WebSocket) => void,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: execBounds.inputMessageBytesMax,
    handleProtocols: () => subprotocol.name || false,
  });
  server.on("headers", (headers) => {
    // Go writes the header for a client that offered nothing, too.
    if (subprotocol.name === "") headers.push("Sec-WebSocket-Protocol: ");
    if (broken !== undefined) headers.splice(0, headers.length, ...spoil(headers, broken));
  });
  // ws refuses offers that Go takes, such as one with a name twice; the choice is made already.
  request.headers["sec-websocket-protocol"] = subprotocol.name || undefined;
  server.handleUpgrade(request, connection, head, accepted);
}

const WRONG_ACCEPT = `Sec-WebSocket-Accept: ${Buffer.alloc(20).toString("base64")}`;

function spoil(headers: readonly string[], broken: HandshakeBreak): readonly string[] {
  const without = (name: string): readonly string[] =>
    headers.filter((line) => !line.toLowerCase().startsWith(`${name}:`));
  switch (broken) {
    case "accept_wrong":
      return [...without("sec-websocket-accept"), WRONG_ACCEPT];
    case "accept_missing":
      return without("sec-websocket-accept");
    case "upgrade_missing":
      return without("upgrade");
    case "subprotocol_missing":
      return without("sec-websocket-protocol");
    case "subprotocol_unoffered":
      return [...without("sec-websocket-protocol"), "Sec-WebSocket-Protocol: v9.channel.k8s.io"];
    case "subprotocol_doubled":
      return [...headers, ...headers.filter((line) => /^sec-websocket-protocol:/iu.test(line))];
    case "kubelet_lost":
    case "no_answer":
    case "cut":
    case "reset":
      return headers;
  }
}

function badRequest(headers: readonly string[], body: string): HandshakeRefusal {
  return { status: 400, reason: "Bad Request", headers, body };
}
