import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { makePeerConnection, type PeerConnection, type SeenRequest } from "./peer-connection.js";

/** What a peer does with one connection; it ends when the connection is done with. */
export type PeerScript = (connection: PeerConnection) => Promise<void>;

/** A peer that follows a script, whatever HTTP says. */
export interface HostilePeerOptions {
  readonly script: PeerScript;
  /** Absent for plain TCP. */
  readonly tls?: Pick<
    TlsOptions,
    "cert" | "key" | "ca" | "requestCert" | "rejectUnauthorized" | "minVersion" | "maxVersion"
  >;
  /** Takes a connection before TLS; a peer that answers true keeps it from TLS. */
  readonly onTcp?: (socket: Socket) => boolean;
}

/** A listening peer, and what it has seen. */
export interface HostilePeer {
  readonly port: number;
  /** `https://127.0.0.1:PORT`, or http without TLS. */
  readonly url: string;
  /** TCP connections so far. */
  connectionCount(): number;
  /** Completed TLS handshakes so far. */
  handshakeCount(): number;
  /** The SNI of each TLS handshake, in order; nothing where none was sent. */
  serverNames(): readonly (string | undefined)[];
  /** Every whole request that a script has read, on any connection, in order. */
  requests(): readonly SeenRequest[];
  /** Ends every connection; rejects with what a script threw, if one did. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a peer on a free loopback port. */
export async function openHostilePeer(options: HostilePeerOptions): Promise<HostilePeer> {
  const seen: SeenRequest[] = [];
  const open = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const names: (string | undefined)[] = [];
  const counts = { connections: 0, handshakes: 0 };
  const rawByPort = new Map<number, Socket>();

  function follow(socket: Socket, raw: Socket): void {
    const connection = makePeerConnection(socket, raw, (request) => seen.push(request));
    const done = options
      .script(connection)
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => {
        socket.destroy();
        running.delete(done);
      });
    running.add(done);
  }

  const secure =
    options.tls === undefined
      ? undefined
      : createTlsServer(options.tls, (socket) => {
          counts.handshakes += 1;
          // Node documents it; its types do not know it.
          const name: unknown = Reflect.get(socket, "servername");
          names.push(typeof name === "string" ? name : undefined);
          follow(socket, rawByPort.get(socket.remotePort ?? 0) ?? socket);
        });
  // A client that breaks off its handshake is the client's affair.
  secure?.on("tlsClientError", () => undefined);

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (raw) => {
    counts.connections += 1;
    open.add(raw);
    raw.on("error", () => undefined);
    raw.on("close", () => open.delete(raw));
    rawByPort.set(raw.remotePort ?? 0, raw);
    if (options.onTcp?.(raw) === true) return;
    if (secure === undefined) follow(raw, raw);
    else secure.emit("connection", raw);
  });
  const port = await listen(server);

  return {
    port,
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    connectionCount: () => counts.connections,
    handshakeCount: () => counts.handshakes,
    serverNames: () => names,
    requests: () => seen,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await Promise.all(running);
      await closed;
      if (faults.length > 0) throw new AggregateError(faults, "a peer's script failed");
    },
  };
}

/** A port on which nobody listens: one that was just let go. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  const closed = once(server, "close");
  server.close();
  await closed;
  return port;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
