import { Pool, type Dispatcher } from "undici";
import {
  headerBytesMax,
  keepAliveMs,
  readConnectionsMax,
  readRequestsMax,
  streamConnectionsMax,
  writeKeepAliveMsMax,
} from "@connectors/domain";
import { startDial, type DialPlan } from "./dial.js";
import { FailureError } from "./network-failure.js";

/** Connections for one kind of request, each good for one request at a time. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  /** True while a connection of this lane reports that its peer has sent everything. */
  readonly atOrderlyEnd: boolean;
  /** Takes a place among running and waiting requests; false when there is none. */
  enter(): boolean;
  leave(): void;
  /** Closes idle connections now and others after their request. */
  close(): void;
}

/** The lanes of one scope and one client certificate; they share no connection. */
export interface Lanes {
  readonly reads: Lane;
  readonly streams: Lane;
  readonly writes: Lane;
  readonly plan: DialPlan;
  close(): void;
}

// undici counts names and values only, and stops at the bound itself; the exact count is ours.
const parserSlack = 1024;

/** Lanes whose connections follow `plan`; none is opened yet. */
export function makeLanes(plan: DialPlan): Lanes {
  const reads = makeLane(plan, { connections: readConnectionsMax, keepAlive: keepAliveMs });
  const streams = makeLane(plan, { connections: streamConnectionsMax, keepAlive: keepAliveMs });
  // A kept socket may be dying unseen, and a write is never sent again: keep it only briefly.
  const writes = makeLane(plan, {
    connections: readConnectionsMax,
    keepAlive: writeKeepAliveMsMax,
  });
  return {
    reads,
    streams,
    writes,
    plan,
    close() {
      for (const lane of [reads, streams, writes]) lane.close();
    },
  };
}

function makeLane(
  plan: DialPlan,
  sizes: { readonly connections: number; readonly keepAlive: number },
): Lane {
  const state = { atOrderlyEnd: false, inside: 0 };
  const pool = new Pool(plan.base.origin, {
    connections: sizes.connections,
    // More than one would let undici send a request again when its neighbour is aborted.
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: sizes.keepAlive,
    keepAliveMaxTimeout: sizes.keepAlive,
    maxHeaderSize: headerBytesMax + parserSlack,
    // Both tick about once a second; deadlines here have timers of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: makeConnector(plan, state),
  });
  return {
    dispatcher: pool,
    get atOrderlyEnd() {
      return state.atOrderlyEnd;
    },
    enter() {
      if (state.inside >= readRequestsMax) return false;
      state.inside += 1;
      return true;
    },
    leave() {
      state.inside -= 1;
    },
    close() {
      // Closing twice rejects, and says nothing that anybody could act on.
      pool.close().catch(() => undefined);
    },
  };
}

type Connector = NonNullable<Pool.Options["connect"]>;

/**
 * undici ends an answer that is delimited by its connection's end even when that end was a reset.
 * Our listeners stand around undici's, so that an answer's end can be told from a loss.
 */
function makeConnector(plan: DialPlan, state: { atOrderlyEnd: boolean }): Connector {
  return (_options, callback) => {
    void startDial(plan).done.then((dialled) => {
      if (!dialled.ok) {
        callback(new FailureError(dialled.failure), null);
        return;
      }
      const socket = dialled.value;
      socket.on("end", () => {
        state.atOrderlyEnd = true;
      });
      callback(null, socket);
      socket.on("end", () => {
        state.atOrderlyEnd = false;
      });
    });
  };
}
