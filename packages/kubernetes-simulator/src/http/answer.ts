import type { Status } from "../status.js";

/** What a request is answered. */
export type Answer = BodyAnswer | StreamAnswer;

/** A whole answer. */
export interface BodyAnswer {
  readonly kind: "body";
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A value to be written as JSON, or text as it is. */
  readonly body: { readonly json: unknown } | { readonly text: string };
}

/** An answer that goes on: a watch. */
export interface StreamAnswer {
  readonly kind: "stream";
  /** Starts it; called once the head has been sent. */
  readonly open: (sink: StreamSink) => void;
}

/** Where a stream writes. */
export interface StreamSink {
  /** Writes one line; a reader that lags too far behind loses its connection instead. */
  readonly write: (line: string) => void;
  /** Ends the answer in order. */
  readonly end: () => void;
  /** Calls `listener` once when the connection is gone or the stream has ended. */
  readonly onClose: (listener: () => void) => void;
}

const JSON_TYPE = "application/json";

/** An answer with a JSON body. */
export function answerJson(
  json: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): BodyAnswer {
  return { kind: "body", status, contentType: JSON_TYPE, headers, body: { json } };
}

/** An answer with a Status, at the code that it carries. */
export function answerStatus(status: Status): BodyAnswer {
  const retry = status.details?.retryAfterSeconds;
  const headers = retry === undefined ? {} : { "Retry-After": String(retry) };
  const guarded =
    status.code === 403 ? { ...headers, "X-Content-Type-Options": "nosniff" } : headers;
  return answerJson(status, status.code ?? 500, guarded);
}

/** An answer of plain text. */
export function answerText(text: string, status = 200): BodyAnswer {
  return {
    kind: "body",
    status,
    contentType: "text/plain; charset=utf-8",
    headers: { "X-Content-Type-Options": "nosniff" },
    body: { text },
  };
}
