import { WebSocket, type RawData } from "ws";

import type { ExecRig } from "./exec-rig.js";

/** What an exec is asked with. */
export interface ExecAsk {
  readonly command: readonly string[];
  /** Subprotocols in their order; v4 when it is not said. */
  readonly offer?: readonly string[];
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
}

/** Everything that a client saw of one exec. */
export interface Seen {
  /** The header names of the 101, or of the answer in its place. */
  readonly headerNames: readonly string[];
  readonly protocol: string | undefined;
  readonly answered: { readonly status: number; readonly body: string } | undefined;
  readonly messages: readonly Buffer[];
  readonly textCount: number;
  readonly error: string | undefined;
  readonly closeCode: number | undefined;
}

/** A client of one exec, over a real socket and ws. */
export interface ExecClient {
  readonly socket: WebSocket;
  readonly seen: () => Seen;
  /** Resolves when the client has seen what `isThere` waits for; rejects after ten seconds. */
  readonly until: (isThere: (seen: Seen) => boolean) => Promise<Seen>;
  /** Resolves when the connection has ended. */
  readonly ended: () => Promise<Seen>;
  /** Sends messages, and resolves when the server has read them all. */
  readonly send: (...messages: readonly (Uint8Array | string)[]) => Promise<void>;
}

const DEADLINE_MS = 10_000;

/** The path and query of an exec, as our adapter writes it. */
export function execPath(ask: ExecAsk): string {
  const query = new URLSearchParams({ container: ask.container ?? "c" });
  for (const element of ask.command) query.append("command", element);
  const flags = { stdin: false, stdout: true, stderr: true, tty: false, ...ask };
  for (const flag of ["stdin", "stdout", "stderr", "tty"] as const) {
    query.append(flag, String(flags[flag]));
  }
  return `/api/v1/namespaces/web/pods/p/exec?${query.toString()}`;
}

/** Opens an exec on a rig. */
export function openExecClient(rig: ExecRig, ask: ExecAsk): ExecClient {
  const offer = ask.offer ?? ["v4.channel.k8s.io"];
  const socket = new WebSocket(`ws://127.0.0.1:${rig.port}${execPath(ask)}`, [...offer], {
    perMessageDeflate: false,
    maxPayload: 64 * 1024 * 1024,
  });
  const listeners = new Set<() => void>();
  const messages: Buffer[] = [];
  let state: Seen = {
    headerNames: [],
    protocol: undefined,
    answered: undefined,
    messages,
    textCount: 0,
    error: undefined,
    closeCode: undefined,
  };
  const change = (part: Partial<Seen>): void => {
    state = { ...state, ...part };
    for (const listener of Array.from(listeners)) listener();
  };
  socket.on("upgrade", ({ rawHeaders, headers }) => {
    change({ headerNames: namesOf(rawHeaders), protocol: headers["sec-websocket-protocol"] });
  });
  socket.on("unexpected-response", (_request, response) => {
    let body = "";
    response.on("data", (chunk: Buffer) => (body += chunk.toString()));
    response.on("end", () => {
      const answered = { status: response.statusCode ?? 0, body };
      change({ headerNames: namesOf(response.rawHeaders), answered, closeCode: 1006 });
    });
  });
  socket.on("message", (data, isBinary) => {
    messages.push(bytesOf(data));
    change({ textCount: state.textCount + (isBinary ? 0 : 1) });
  });
  socket.on("error", (error) => change({ error: state.error ?? error.message }));
  socket.on("close", (closeCode) => change({ closeCode }));

  const until = async (isThere: (seen: Seen) => boolean): Promise<Seen> => {
    if (isThere(state)) return state;
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        listeners.delete(check);
        reject(new Error(`the client waited in vain; it has seen ${describe(state)}`));
      }, DEADLINE_MS);
      const check = (): void => {
        if (!isThere(state)) return;
        clearTimeout(timer);
        listeners.delete(check);
        resolve(state);
      };
      listeners.add(check);
    });
  };
  return {
    socket,
    seen: () => state,
    until,
    ended: () => until(({ closeCode }) => closeCode !== undefined),
    send: async (...toSend) => {
      await until(() => socket.readyState !== socket.CONNECTING);
      for (const message of toSend) socket.send(message);
      const pong = new Promise((resolve) => socket.once("pong", resolve));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.ping();
      await Promise.race([pong, closed]);
    },
  };
}

/** What came on one channel, in one piece. */
export function channelText(seen: Seen, channel: number): string {
  const pieces = seen.messages.filter((message) => message[0] === channel);
  return Buffer.concat(pieces.map((message) => message.subarray(1))).toString("latin1");
}

function describe(seen: Seen): string {
  const sizes = seen.messages.map((message) => `${message[0]}:${message.length}`);
  return JSON.stringify({ ...seen, messages: sizes.slice(-20) });
}

function namesOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 0);
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
