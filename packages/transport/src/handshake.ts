import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket, type ClientOptions } from "ws";
import {
  headerBytesMax,
  refusalBodyBytesMax,
  upgradeChunksMax,
  upgradeCloseMs,
  upgradeFragmentsMax,
} from "@connectors/domain";
import { makeFailure, type Failure, type MessageStream, type UpgradeBounds } from "@connectors/sdk";
import { makeStopFailure, type Deadline } from "./deadline.js";
import { readHeaderLines } from "./header-lines.js";
import { codeOf, describeNetworkError, makeTransportFailure } from "./network-failure.js";
import { joinBytes } from "./plain-bytes.js";

/** One upgrade request on a socket that was made for it. */
export interface HandshakePlan {
  readonly socket: Socket;
  /** `wss:` or `ws:`, with path and query encoded. */
  readonly url: string;
  readonly subprotocols: readonly string[];
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly bounds: UpgradeBounds;
  readonly deadline: Deadline;
}

/** What came of it; after anything but `switched` the socket is gone. */
export type Handshake =
  | { readonly kind: "switched"; readonly stream: MessageStream }
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly bodyPrefix: Uint8Array;
    }
  | { readonly kind: "failed"; readonly failure: Failure };

type Phase = "asking" | "checking" | "answering" | "settled";

/**
 * Asks for the switch and verifies it. `makeStream` is called in the very moment of a verified
 * 101, before a frame can arrive.
 */
export function shakeHands(
  plan: HandshakePlan,
  makeStream: (socket: WebSocket) => MessageStream,
): Promise<Handshake> {
  const { socket, deadline } = plan;
  return new Promise((resolve) => {
    let phase: Phase = "asking";
    let forget: (() => void) | undefined;
    function settle(handshake: Handshake): void {
      if (phase === "settled") return;
      phase = "settled";
      forget?.();
      if (handshake.kind !== "switched") socket.destroy();
      resolve(handshake);
    }
    function failed(failure: Failure): void {
      // Once a status is known, the loss of the rest takes nothing from it.
      if (phase !== "answering") settle({ kind: "failed", failure });
    }
    forget = deadline.onStop((cause) => failed(makeStopFailure(cause)));
    // ws says nothing of a socket that is already closed, nor of one that closes unasked.
    socket.on("close", () => failed(makeTransportFailure("connection_lost")));
    if (socket.destroyed) failed(makeTransportFailure("connection_lost"));
    if (isSettled()) return;

    const ws = new WebSocket(plan.url, [...plan.subprotocols], makeOptions(plan));
    ws.on("upgrade", (response) => {
      phase = "checking";
      const headers = readHeaderLines(response.rawHeaders);
      if (!headers.ok) failed(headers.failure);
    });
    ws.on("open", () => {
      if (isSettled()) return;
      forget?.();
      settle({ kind: "switched", stream: makeStream(ws) });
    });
    ws.on("error", (error) => {
      failed(phase === "checking" ? wrongSwitch() : describeRefusal(error));
    });
    ws.on("unexpected-response", (_request, response) => {
      const refused = refuseAnswer(response);
      if (refused !== undefined) {
        failed(refused);
        return;
      }
      phase = "answering";
      forget?.();
      forget = readAnswer(response, deadline, settle);
    });

    function isSettled(): boolean {
      return phase === "settled";
    }
  });
}

function makeOptions(plan: HandshakePlan): ClientOptions {
  // The last three are ws's own or Node's; the types of ws do not know them.
  const options: ClientOptions & Readonly<Record<string, unknown>> = {
    createConnection: () => plan.socket,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: plan.bounds.messageBytesMax,
    maxFragments: upgradeFragmentsMax,
    maxBufferedChunks: upgradeChunksMax,
    finishRequest(request) {
      for (let at = 0; at + 1 < plan.headers.length; at += 2) {
        request.appendHeader(plan.headers[at] ?? "", plan.headers[at + 1] ?? "");
      }
      request.end();
    },
    closeTimeout: upgradeCloseMs,
    // Node counts the status line too; the exact count is ours.
    maxHeaderSize: headerBytesMax + 1024,
    insecureHTTPParser: false,
  };
  return options;
}

/** Why an ordinary answer is none. */
function refuseAnswer(response: IncomingMessage): Failure | undefined {
  const headers = readHeaderLines(response.rawHeaders);
  if (!headers.ok) return headers.failure;
  // ws gives a 101 that does not name the new protocol as an ordinary answer.
  return response.statusCode === 101 ? wrongSwitch() : undefined;
}

/** Settles with what is read of the body by its end, its bound, its loss or the deadline. */
function readAnswer(
  response: IncomingMessage,
  deadline: Deadline,
  settle: (handshake: Handshake) => void,
): () => void {
  const headers = readHeaderLines(response.rawHeaders);
  const chunks: Buffer[] = [];
  let bytes = 0;
  function give(): void {
    settle({
      kind: "answered",
      status: response.statusCode ?? 0,
      headers: headers.ok ? headers.value : new Map(),
      bodyPrefix: joinBytes(chunks, Math.min(bytes, refusalBodyBytesMax)),
    });
  }
  for (const over of ["end", "close", "error"]) response.on(over, give);
  response.on("data", (chunk: Buffer) => {
    if (bytes >= refusalBodyBytesMax) return;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= refusalBodyBytesMax) give();
  });
  return deadline.onStop(give);
}

function wrongSwitch(): Failure {
  return makeFailure("upstream_protocol", "The server's switch of protocols does not verify.");
}

function describeRefusal(error: unknown): Failure {
  const code = codeOf(error);
  if (code === "HPE_HEADER_OVERFLOW") return describeNetworkError(error);
  return code.startsWith("HPE_")
    ? makeTransportFailure("malformed_answer", "upstream_protocol")
    : describeNetworkError(error);
}
