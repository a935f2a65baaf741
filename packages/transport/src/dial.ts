import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { connectAttemptMs, keepAliveMs } from "@connectors/domain";
import {
  failWith,
  makeFailure,
  succeed,
  type Failure,
  type Outcome,
  type Timers,
} from "@connectors/sdk";
import type { BaseUrl } from "./base-url.js";
import { describeNetworkError, FailureError, makeTransportFailure } from "./network-failure.js";
import { openTunnel, type Proxy } from "./proxy.js";
import type { TlsPlan } from "./trust.js";

/** Everything that decides how a socket to a scope's server is made. */
export interface DialPlan {
  readonly base: BaseUrl;
  /** Absent for plain http. */
  readonly tls: TlsPlan | undefined;
  readonly proxy: Proxy | undefined;
  /** For an https proxy: its own name, and never the client's certificate. */
  readonly proxyTls: TlsPlan | undefined;
  readonly connectMs: number;
  readonly timers: Timers;
}

/** A socket under way. */
export interface Dial {
  /** Never rejects. The socket is verified, and carries an error listener for its whole life. */
  readonly done: Promise<Outcome<Socket>>;
  /** Gives up: `done` ends with `failure`, unless it has ended. */
  cancel(failure: Failure): void;
}

/** Starts a socket to the plan's server: TCP, the proxy's tunnel, TLS, within `connectMs`. */
export function startDial(plan: DialPlan): Dial {
  const made: Socket[] = [];
  let verdict: Failure | undefined;
  let ended = false;

  function keep<S extends Socket>(socket: S): S {
    // Errors are read off the step that waits; an error between two steps must not be thrown.
    socket.on("error", () => undefined);
    made.push(socket);
    return socket;
  }
  function cancel(failure: Failure): void {
    if (ended || verdict !== undefined) return;
    verdict = failure;
    for (const socket of made) socket.destroy();
  }
  async function run(): Promise<Outcome<Socket>> {
    const stopTimer = plan.timers.after(plan.connectMs, () => {
      cancel(makeFailure("timeout", "The server could not be reached before the deadline."));
    });
    try {
      const socket = await establish(plan, keep);
      if (verdict === undefined && !socket.destroyed) return succeed(socket);
      socket.destroy();
      return failWith(verdict ?? makeTransportFailure("connection_lost"));
    } catch (error) {
      for (const socket of made) socket.destroy();
      return failWith(verdict ?? describeNetworkError(error));
    } finally {
      ended = true;
      stopTimer();
    }
  }
  return { done: run(), cancel };
}

type Keep = <S extends Socket>(socket: S) => S;

async function establish(plan: DialPlan, keep: Keep): Promise<Socket> {
  const { base, proxy, proxyTls, tls } = plan;
  if (proxy === undefined) {
    const raw = keep(startTcp(base.host, base.port));
    await reached(raw, "connect");
    return tls === undefined ? raw : await secure(raw, tls, keep);
  }
  let way = keep(startTcp(proxy.host, proxy.port));
  await reached(way, "connect");
  if (proxyTls !== undefined) way = await secure(way, proxyTls, keep);
  await openTunnel(way, proxy, base.authority);
  return tls === undefined ? way : await secure(way, tls, keep);
}

function startTcp(host: string, port: number): Socket {
  const socket = connect({ host, port, autoSelectFamilyAttemptTimeout: connectAttemptMs });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  return socket;
}

async function secure(raw: Socket, plan: TlsPlan, keep: Keep): Promise<Socket> {
  const socket = keep(
    connectTls({
      socket: raw,
      secureContext: plan.context,
      host: plan.name,
      // SNI carries no addresses; Node then verifies against `host`.
      servername: isIP(plan.name) === 0 ? plan.name : "",
      // Written out, so that the environment has no say.
      rejectUnauthorized: plan.verify,
      ALPNProtocols: ["http/1.1"],
    }),
  );
  await reached(socket, "secureConnect");
  return socket;
}

function reached(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    function forget(): void {
      socket.off(event, onReached);
      socket.off("error", onError);
      socket.off("close", onClose);
    }
    function onReached(): void {
      forget();
      resolve();
    }
    function onError(error: Error): void {
      forget();
      reject(error);
    }
    function onClose(): void {
      forget();
      reject(new FailureError(makeTransportFailure("connection_lost")));
    }
    socket.on(event, onReached);
    socket.on("error", onError);
    socket.on("close", onClose);
  });
}
