import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import { simulatorBounds } from "../bounds.js";
import type { CertificatePair } from "../pki.js";

/** What listens, and how. */
export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificatePair;
  /** The authority that client certificates must come from. */
  readonly caPem: string;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A TLS server that can also end connections the hard way. */
export interface Listener {
  readonly port: number;
  /** Ends the connection of a request with an RST instead of an orderly close. */
  readonly reset: (socket: Duplex) => void;
  readonly connections: () => number;
  /** Stops listening and ends every connection, upgraded ones included. */
  readonly close: () => Promise<void>;
}

// Go's server: idle connections are kept this long, a head may take this long.
const IDLE_TIMEOUT_MS = 90_000;
const HEADERS_TIMEOUT_MS = 32_000;

/** Listens; rejects when the port is taken. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const server = createServer(
    {
      key: options.certificate.keyPem,
      cert: options.certificate.certificatePem,
      ca: options.caPem,
      // Asked for, not insisted on: who shows none, or a bad one, is answered 401 by HTTP.
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      maxHeaderSize: simulatorBounds.headerBytesMax,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: IDLE_TIMEOUT_MS,
    },
    options.onRequest,
  );
  server.maxConnections = simulatorBounds.connectionsMax;
  server.on("upgrade", options.onUpgrade);
  server.on("clientError", refuseBadHead);
  const sockets = trackSockets(server);
  await listen(server, options);
  const address = server.address();
  // Only a pipe's address is a string, and only a closed server has none.
  if (address === null || typeof address === "string") throw new Error("not listening on TCP");
  const { port } = address;
  return {
    port,
    connections: () => sockets.size,
    reset: (socket) => {
      const raw = findRaw(sockets, socket);
      if (raw === undefined) socket.destroy();
      else raw.resetAndDestroy();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function listen(server: Server, { host, port }: ListenerOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

// The TCP sockets under TLS: only they can send an RST.
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => {
      sockets.delete(socket);
    });
    // A client that vanishes is an ordinary event; its requests see the close.
    socket.on("error", () => {
      socket.destroy();
    });
  });
  server.on("secureConnection", (socket) => {
    socket.on("error", () => {
      socket.destroy();
    });
  });
  return sockets;
}

function findRaw(sockets: ReadonlySet<Socket>, secure: Duplex): Socket | undefined {
  if (!("remotePort" in secure)) return undefined;
  for (const socket of sockets) if (socket.remotePort === secure.remotePort) return socket;
  return undefined;
}

function refuseBadHead(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const line = tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const headers = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n";
  socket.end(`HTTP/1.1 ${line}\r\n${headers}\r\n${line}`);
}
