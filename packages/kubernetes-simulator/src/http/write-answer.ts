import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { simulatorBounds } from "../bounds.js";
import type { FaultAnswer } from "../faults/fault.js";
import { encodeJson } from "../go-format.js";
import type { BodyAnswer, StreamAnswer, StreamSink } from "./answer.js";

/** Headers of every answer of one request. */
export interface AnswerHead {
  readonly auditId: string;
  readonly pretty: boolean;
  /** The uids of the flow schema and priority level that the real server names. */
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}

/** The head and the text of a whole answer. */
export interface EncodedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A whole answer as it goes over the wire. */
export function encodeAnswer(answer: BodyAnswer, head: AnswerHead): EncodedAnswer {
  const { body } = answer;
  const text = "text" in body ? body.text : `${encodeJson(body.json, head.pretty)}\n`;
  const headers = {
    ...commonHeaders(head),
    "Content-Type": answer.contentType,
    ...answer.headers,
    "Content-Length": String(Buffer.byteLength(text)),
  };
  return { headers, text };
}

/** Sends a whole answer. */
export function writeAnswer(response: ServerResponse, answer: BodyAnswer, head: AnswerHead): void {
  const { headers, text } = encodeAnswer(answer, head);
  response.writeHead(answer.status, headers);
  // As bytes: Node would join a string to the head and encode both as UTF-8, but header values are
  // bytes already, one a letter.
  response.end(Buffer.from(text, "utf8"));
}

/** Sends a scripted answer: its headers and body as they are, with a length. */
export function writeFaultAnswer(response: ServerResponse, answer: FaultAnswer): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    "Content-Length": String(Buffer.byteLength(answer.body)),
  });
  response.end(answer.body);
}

/** Sends the head of a stream at once, then lets it write. */
export function writeStream(
  response: ServerResponse,
  answer: StreamAnswer,
  head: AnswerHead,
): void {
  response.writeHead(200, { ...commonHeaders(head), "Content-Type": "application/json" });
  // A client that waits for the head before it looks for events must not wait for the first.
  response.flushHeaders();
  answer.open(makeSink(response));
}

/** Sends a whole answer over a connection that asked for an upgrade, and ends it. */
export function writeRawAnswer(
  socket: Duplex,
  status: number,
  reason: string,
  encoded: EncodedAnswer,
): void {
  const lines = Object.entries(encoded.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}Connection: close\r\n\r\n`;
  // Header values are bytes, one a letter; the body is UTF-8.
  socket.write(Buffer.from(head, "latin1"));
  socket.end(encoded.text);
}

function commonHeaders(head: AnswerHead): Readonly<Record<string, string>> {
  return {
    "Audit-Id": head.auditId,
    "Cache-Control": "no-cache, private",
    "X-Kubernetes-Pf-Flowschema-Uid": head.flowSchemaUid,
    "X-Kubernetes-Pf-Prioritylevel-Uid": head.priorityLevelUid,
  };
}

function makeSink(response: ServerResponse): StreamSink {
  return {
    write: (line) => {
      if (response.writableEnded || response.destroyed) return;
      response.write(line);
      // An orderly end would wait for a reader that doesn't read.
      if (response.writableLength > simulatorBounds.watchBacklogBytesMax) response.destroy();
    },
    end: () => {
      response.end();
    },
    onClose: (listener) => {
      response.once("close", listener);
    },
  };
}
