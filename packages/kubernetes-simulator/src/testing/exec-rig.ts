import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

import { makeExecService, type ExecService } from "../exec/open-exec.js";
import type { ExecScript } from "../exec/script.js";
import type { ExecCluster, ExecSession, KubeletState, KubeletView } from "../exec/session.js";
import { makeFaultEngine, type FaultEngine } from "../faults/engine.js";
import type { FaultRule } from "../faults/fault.js";
import type { Timers } from "../ports.js";
import { SYSTEM_SURROUNDINGS } from "../system.js";

/** What one request was answered, as the server's log would have it. */
export interface RigRecord {
  readonly status: number;
  readonly body: string;
}

/** An exec service behind a plain HTTP server: no TLS, no users, one Pod. */
export interface ExecRig {
  readonly port: number;
  readonly service: ExecService;
  readonly faults: FaultEngine;
  readonly records: readonly RigRecord[];
  readonly setKubelet: (state: KubeletState) => void;
  readonly deletePod: () => void;
  readonly setContainerRunning: (running: boolean) => void;
  readonly close: () => Promise<void>;
}

/** What a rig is opened with. */
export interface ExecRigOptions {
  readonly rules?: readonly FaultRule[];
  readonly scripts?: readonly ExecScript[];
  readonly timers?: Timers;
  readonly podDeletedKillMs?: number;
  readonly commandsMax?: number;
}

/** The Pod that every exec of a rig is for. */
export const RIG_POD = { namespace: "web", name: "p", uid: "uid-1", labels: { app: "api" } };

/** Opens a rig on a free port of this machine. */
export async function openExecRig(options: ExecRigOptions = {}): Promise<ExecRig> {
  const faults = makeFaultEngine(options.rules ?? []);
  const { scripts = [], podDeletedKillMs = 0, commandsMax } = options;
  const service = makeExecService({
    faults: () => faults,
    scripts,
    podDeletedKillMs,
    ...(commandsMax === undefined ? {} : { commandsMax }),
  });
  const records: RigRecord[] = [];
  const sockets = new Set<Socket>();
  const deletion = new AbortController();
  const { kubelet, setKubelet } = makeKubelet();
  const timers = options.timers ?? SYSTEM_SURROUNDINGS.timers;
  const cluster: ExecCluster = {
    clock: SYSTEM_SURROUNDINGS.clock,
    timers,
    kubelet,
    podDeleted: deletion.signal,
  };
  let containerRunning = true;

  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    service.openExec({
      ...readAsk(request),
      ...makeAnswers(socket, records, sockets),
      request,
      socket,
      head,
      user: "ada",
      pod: RIG_POD,
      containerRunning,
      cluster,
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server.address()),
    service,
    faults,
    records,
    setKubelet,
    deletePod: () => deletion.abort(),
    setContainerRunning: (running) => {
      containerRunning = running;
    },
    close: async () => {
      service.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Ask = Pick<ExecSession, "container" | "command" | "stdin" | "stdout" | "stderr" | "tty">;

function readAsk(request: IncomingMessage): Ask {
  const query = new URL(request.url ?? "/", "http://rig").searchParams;
  return {
    container: query.get("container") ?? "c",
    command: query.getAll("command"),
    stdin: query.get("stdin") === "true",
    stdout: query.get("stdout") === "true",
    stderr: query.get("stderr") === "true",
    tty: query.get("tty") === "true",
  };
}

function makeAnswers(
  socket: Duplex,
  records: RigRecord[],
  sockets: ReadonlySet<Socket>,
): Pick<ExecSession, "refuse" | "answered" | "accepted" | "reset"> {
  const answered = (status: number, body = ""): void => {
    records.push({ status, body });
  };
  return {
    answered,
    accepted: () => answered(101),
    refuse: (status, body) => {
      const text = body === undefined ? "" : `${JSON.stringify(body)}\n`;
      answered(status, text);
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    },
    reset: () => {
      for (const each of sockets) if (each === socket) each.resetAndDestroy();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("not listening on TCP");
  return address.port;
}

function makeKubelet(): {
  readonly kubelet: KubeletView;
  readonly setKubelet: (state: KubeletState) => void;
} {
  const listeners = new Set<(state: KubeletState) => void>();
  let state: KubeletState = "up";
  return {
    kubelet: {
      state: () => state,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    setKubelet: (next) => {
      state = next;
      for (const listener of Array.from(listeners)) listener(next);
    },
  };
}
