import type { PeerScript } from "./hostile-peer.js";
import type { PeerConnection, SeenRequest } from "./peer-connection.js";

/** An ordinary answer as its peer would write it. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** The bytes of an answer, its length announced. */
export function encodeAnswer(answer: PlainAnswer): Buffer {
  const body = Buffer.from(answer.body ?? "");
  const lines = (answer.headers ?? []).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    `HTTP/1.1 ${answer.status} Scripted\r\n${lines.join("")}` +
    `content-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

/** A script that answers every request of a connection by what `choose` says. */
export function answering(choose: (request: SeenRequest) => PlainAnswer): PeerScript {
  return async (connection) => {
    for (;;) {
      const request = await connection.readRequest();
      if (request === undefined) return;
      await connection.write(encodeAnswer(choose(request)));
    }
  };
}

/** A script that reads one request and then does `then`. */
export function afterRequest(then: (connection: PeerConnection) => Promise<void>): PeerScript {
  return async (connection) => {
    if ((await connection.readRequest()) !== undefined) await then(connection);
  };
}

/** Reads a request and never says a word. */
export const neverAnswers: PeerScript = afterRequest((connection) => connection.hang());

/** Reads a request, then ends the connection in order, without an answer. */
export const finishesUnanswered: PeerScript = afterRequest((connection) => {
  connection.finish();
  return connection.hang();
});

/** Reads a request, then resets the connection. */
export const resetsUnanswered: PeerScript = afterRequest((connection) => {
  connection.reset();
  return Promise.resolve();
});

/** Begins a header block and never ends it. */
export const stallsInHeaders: PeerScript = afterRequest(async (connection) => {
  await connection.write("HTTP/1.1 200 OK\r\ncontent-type: text/pl");
  await connection.hang();
});

/** Sends a header block a byte at a time. */
export const dripsHeaders: PeerScript = afterRequest(async (connection) => {
  await connection.drip(`HTTP/1.1 200 OK\r\n${"x-slow: 1\r\n".repeat(1000)}`, 1, 5);
  await connection.hang();
});

/** Answers at once, and sends its body a byte at a time, without end. */
export const dripsBody: PeerScript = afterRequest(async (connection) => {
  await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
  await connection.drip(Buffer.alloc(1_000_000, "x"), 1, 5);
});

/** Speaks something that is not HTTP. */
export const speaksGarbage: PeerScript = afterRequest(async (connection) => {
  await connection.write("SSH-2.0-OpenSSH_9.2\r\n\r\n");
  await connection.hang();
});

/** Answers with `count` interim answers, then `answer`. */
export function answersAfterInterim(count: number, answer: PlainAnswer): PeerScript {
  return afterRequest(async (connection) => {
    await connection.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(count));
    await connection.write(encodeAnswer(answer));
    await connection.hang();
  });
}

/** Announces `announced` bytes, sends `sent` of them, then ends in order or by a reset. */
export function cutsBody(announced: number, sent: number, how: "finish" | "reset"): PeerScript {
  return afterRequest(async (connection) => {
    await connection.write(`HTTP/1.1 200 OK\r\ncontent-length: ${announced}\r\n\r\n`);
    await connection.write(Buffer.alloc(sent, "x"));
    if (how === "reset") connection.reset();
    else connection.finish();
    await connection.hang();
  });
}

/** Sends a body that only the end of its connection delimits, then ends in order or by a reset. */
export function endsBodyByConnection(body: string, how: "finish" | "reset"): PeerScript {
  return afterRequest(async (connection) => {
    await connection.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`);
    if (how === "reset") connection.reset();
    else connection.finish();
    await connection.hang();
  });
}

/** The head of a chunked 200. */
export const chunkedHead = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** One chunk; of no bytes, the last one. */
export function encodeChunk(piece: string | Uint8Array): Buffer {
  const bytes = Buffer.from(piece);
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
}

/** Streams `pieces` as chunks, then ends the body, resets the connection or falls silent. */
export function streamsChunks(
  pieces: readonly (string | Uint8Array)[],
  after: "end" | "reset" | "silence",
): PeerScript {
  return afterRequest(async (connection) => {
    await connection.write(chunkedHead);
    for (const piece of pieces) await connection.write(encodeChunk(piece));
    if (after === "reset") connection.reset();
    if (after === "end") await connection.write(encodeChunk(""));
    await connection.hang();
  });
}
