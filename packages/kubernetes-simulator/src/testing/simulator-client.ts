import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as openRequest } from "node:https";
import { createInterface } from "node:readline";

import type { UserCredential } from "../access/users.js";
import type { Simulator } from "../simulator.js";

/** What a simulator answered. */
export interface SimulatorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What a request carries beside method and path. */
export interface ClientRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A watch, line by line. */
export interface ClientStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next line; undefined when the server has ended the stream. */
  readonly next: () => Promise<string | undefined>;
  readonly close: () => void;
}

/** A plain HTTP client of one simulator: no retries, no interpretation. */
export interface SimulatorClient {
  readonly request: (
    method: string,
    path: string,
    request?: ClientRequest,
  ) => Promise<SimulatorAnswer>;
  readonly stream: (path: string, request?: ClientRequest) => Promise<ClientStream>;
  readonly close: () => void;
}

/** How a client shows who it is. */
export type ClientIdentity =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "certificate"; readonly user: UserCredential }
  | { readonly kind: "none" };

/** A client of `simulator`, as its admin by token unless told otherwise. Own it: close it. */
export function openSimulatorClient(
  simulator: Simulator,
  identity: ClientIdentity = { kind: "token", token: simulator.admin.token },
): SimulatorClient {
  const certificate = identity.kind === "certificate" ? identity.user.certificate : undefined;
  const agent = new Agent({
    keepAlive: true,
    ca: simulator.caPem,
    ...(certificate === undefined
      ? {}
      : { cert: certificate.certificatePem, key: certificate.keyPem }),
  });
  const send = async (
    method: string,
    path: string,
    { headers = {}, body, contentType }: ClientRequest,
  ): Promise<IncomingMessage> => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    return await new Promise((resolve, reject) => {
      const outgoing = openRequest(
        {
          // Taken apart, so that the path is sent as it is given.
          host: new URL(simulator.url).hostname,
          port: simulator.port,
          path,
          method,
          agent,
          headers: {
            "User-Agent": "simulator-client/1",
            ...(identity.kind === "token" ? { Authorization: `Bearer ${identity.token}` } : {}),
            ...(contentType === undefined ? {} : { "Content-Type": contentType }),
            ...(text === undefined || isChunked(headers)
              ? {}
              : { "Content-Length": Buffer.byteLength(text) }),
            ...Object.fromEntries(
              Object.entries(headers).map(([name, value]) => [
                name,
                typeof value === "string" ? value : [...value],
              ]),
            ),
          },
        },
        resolve,
      );
      outgoing.on("error", reject);
      outgoing.end(text);
    });
  };
  return {
    request: async (method, path, request = {}) => {
      const incoming = await send(method, path, request);
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
      return {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text: Buffer.concat(chunks).toString("utf8"),
      };
    },
    stream: async (path, request = {}) => openStream(await send("GET", path, request)),
    close: () => {
      agent.destroy();
    },
  };
}

function isChunked(headers: ClientRequest["headers"]): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "transfer-encoding");
}

function openStream(incoming: IncomingMessage): ClientStream {
  const lines = createInterface({ input: incoming, crlfDelay: Infinity })[Symbol.asyncIterator]();
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    next: async () => {
      try {
        const line = await lines.next();
        return line.done === true ? undefined : line.value;
      } catch (error) {
        // A connection that is cut ends the lines like one that is closed.
        if (incoming.destroyed) return undefined;
        throw error;
      }
    },
    close: () => {
      incoming.destroy();
    },
  };
}
