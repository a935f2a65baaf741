import type { Socket } from "node:net";

/** A request as its bytes came. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, encoded as they were sent. */
  readonly target: string;
  /** In the order they were sent, names as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The connection's number, from 1. */
  readonly connection: number;
}

/** One connection in the hands of a script; nothing on it happens by itself. */
export interface PeerConnection {
  readonly number: number;
  /** The next whole request; nothing when the client is gone first. */
  readRequest(): Promise<SeenRequest | undefined>;
  /** The next bytes whatever they are; nothing at the end. */
  readBytes(): Promise<Buffer | undefined>;
  /** True when the bytes were handed to the network, false when the client is gone. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  /** Writes `bytes` in pieces of `pieceBytes`, one every `everyMs`, until the client goes. */
  drip(bytes: string | Uint8Array, pieceBytes: number, everyMs: number): Promise<void>;
  /** FIN: no more from here, whatever the client still sends. */
  finish(): void;
  /** RST, without a goodbye of TLS. */
  reset(): void;
  /** Does nothing until the client goes. */
  hang(): Promise<void>;
  /** Bytes that were handed to the network. */
  writtenBytes(): number;
}

/** The first value of a header, by name in any case. */
export function headerOf(request: SeenRequest, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return request.headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

let numbers = 0;

/** A script's hold on one accepted socket. */
export function makePeerConnection(
  socket: Socket,
  raw: Socket,
  onRequest: (request: SeenRequest) => void,
): PeerConnection {
  numbers += 1;
  const number = numbers;
  const inbox = makeInbox(socket);
  let written = 0;
  const gone = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
  });
  socket.on("error", () => undefined);

  function write(bytes: string | Uint8Array): Promise<boolean> {
    if (socket.destroyed || !socket.writable) return Promise.resolve(false);
    return new Promise((resolve) => {
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, (error) => {
        if (!error) written += bytes.length;
        resolve(!error);
      });
    });
  }

  return {
    number,
    async readRequest() {
      const request = await readRequest(inbox, number);
      if (request !== undefined) onRequest(request);
      return request;
    },
    async readBytes() {
      return (await inbox.until((bytes) => bytes.length > 0)) ? inbox.take() : undefined;
    },
    write,
    async drip(bytes, pieceBytes, everyMs) {
      const all = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
      for (let at = 0; at < all.length; at += pieceBytes) {
        if (!(await write(all.subarray(at, at + pieceBytes)))) return;
        const pause = new Promise((resolve) => void setTimeout(resolve, everyMs));
        await Promise.race([gone, pause]);
      }
    },
    finish: () => void socket.end(),
    reset: () => void raw.resetAndDestroy(),
    hang: () => gone,
    writtenBytes: () => written,
  };
}

/** What a client has sent and no script has read. */
interface Inbox {
  /** True once it holds what `ready` asks for, false when no more will come. */
  until(ready: (received: Buffer) => boolean): Promise<boolean>;
  /** Takes `bytes` of it, or all. */
  take(bytes?: number): Buffer;
  indexOf(text: string): number;
}

function makeInbox(socket: Socket): Inbox {
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const waiter of waiters) waiter();
  };
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  for (const over of ["end", "close"]) {
    socket.on(over, () => {
      ended = true;
      wake();
    });
  }
  return {
    async until(ready) {
      while (!ready(received)) {
        if (ended) return false;
        await new Promise<void>((resolve) => {
          const waiter = (): void => {
            waiters.delete(waiter);
            resolve();
          };
          waiters.add(waiter);
        });
      }
      return true;
    },
    take(bytes = received.length) {
      const taken = received.subarray(0, bytes);
      received = received.subarray(bytes);
      return taken;
    },
    indexOf: (text) => received.indexOf(text),
  };
}

async function readRequest(inbox: Inbox, connection: number): Promise<SeenRequest | undefined> {
  if (!(await inbox.until((received) => received.includes("\r\n\r\n")))) return undefined;
  const head = inbox.take(inbox.indexOf("\r\n\r\n") + 4).toString("latin1");
  const [line = "", ...lines] = head.trimEnd().split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = lines.map((text) => {
    const colon = text.indexOf(":");
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
  });
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1];
  const bytes = Number(length ?? 0);
  if (!(await inbox.until((received) => received.length >= bytes))) return undefined;
  return { method, target, headers, body: inbox.take(bytes), connection };
}
