import { Client, type Dispatcher } from "undici";
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

/** One connection, held by one request: nobody else's request is ever queued behind it. */
export interface Seat {
  readonly dispatcher: Dispatcher;
  /** Gives it back; a connection whose request did not end well is not used again. */
  release(how: "sound" | "spoilt"): void;
}

/** Connections for one kind of request. */
export interface Lane {
  /**
   * Calls `seated` once there is a seat, at once if there is one; the returned function gives up
   * waiting. Nothing is returned when too many hold or wait.
   */
  take(seated: (seat: Seat) => void): (() => void) | undefined;
  /** Closes idle connections now, and others when their request is over. */
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

/** Lanes whose connections follow `plan`; none is opened yet. */
export function makeLanes(plan: DialPlan): Lanes {
  const reads = makeLane(plan, { seatsMax: readConnectionsMax, keepMs: keepAliveMs });
  const streams = makeLane(plan, { seatsMax: streamConnectionsMax, keepMs: keepAliveMs });
  // A kept socket may be dying unseen, and a write is never sent again: keep it only briefly.
  const writes = makeLane(plan, { seatsMax: readConnectionsMax, keepMs: writeKeepAliveMsMax });
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

interface LaneSizes {
  readonly seatsMax: number;
  readonly keepMs: number;
}

function makeLane(plan: DialPlan, sizes: LaneSizes): Lane {
  // The latest first: its connection is the likeliest to be still open.
  const idle: Client[] = [];
  const waiting = new Set<(seat: Seat) => void>();
  let held = 0;
  let closed = false;

  function seat(client: Client, seated: (seat: Seat) => void): void {
    held += 1;
    let mine = true;
    seated({
      dispatcher: client,
      release(how) {
        if (!mine) return;
        mine = false;
        held -= 1;
        if (how === "spoilt") retire(client);
        const [next] = waiting;
        if (next !== undefined) {
          waiting.delete(next);
          seat(how === "sound" ? client : makeClient(plan, sizes.keepMs), next);
        } else if (how === "sound") {
          if (closed) retire(client);
          else idle.push(client);
        }
      },
    });
  }

  return {
    take(seated) {
      if (held < sizes.seatsMax) {
        seat(idle.pop() ?? makeClient(plan, sizes.keepMs), seated);
        return () => undefined;
      }
      if (held + waiting.size >= readRequestsMax) return undefined;
      waiting.add(seated);
      return () => waiting.delete(seated);
    },
    close() {
      closed = true;
      for (const client of idle.splice(0)) retire(client);
    },
  };
}

// undici stops at a size of its own, counted differently; the exact bound is ours.
const parserSlack = 1024;

function makeClient(plan: DialPlan, keepMs: number): Client {
  return new Client(plan.base.origin, {
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepMs,
    keepAliveMaxTimeout: keepMs,
    maxHeaderSize: headerBytesMax + parserSlack,
    // Both tick about once a second; deadlines here have timers of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(_options, callback) {
      void startDial(plan).done.then((dialled) => {
        if (dialled.ok) callback(null, dialled.value);
        else callback(new FailureError(dialled.failure), null);
      });
    },
  });
}

function retire(client: Client): void {
  // Closing waits for nothing here: a client has no request but the one that is over.
  client.close().catch(() => undefined);
}
