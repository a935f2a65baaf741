import { streamBufferBytesMax } from "@connectors/domain";
import {
  failWith,
  makeFailure,
  succeed,
  type Failure,
  type HttpStream,
  type Outcome,
  type Timers,
} from "@connectors/sdk";
import { makeStopFailure, startDeadline, type Deadline } from "./deadline.js";
import { startExchange, type AnswerHead, type Exchange, type ExchangeRequest } from "./exchange.js";
import { keptOverheadBytes, makeHandout } from "./handout.js";
import type { Lane } from "./lane.js";
import { plainBytes } from "./plain-bytes.js";

type Piece = Outcome<Uint8Array | "end">;

/** What a stream needs; `headDeadline` ends the wait for its head and nothing after it. */
export interface StreamPlan {
  readonly lane: Lane;
  readonly request: ExchangeRequest;
  readonly headDeadline: Deadline;
  readonly signal: AbortSignal;
  /** The longest silence while a piece is wanted. */
  readonly idleMs: number;
  readonly bytesMax: number | undefined;
  readonly timers: Timers;
}

/**
 * The answer as soon as its head is here. What arrives faster than it is asked for waits in a
 * bounded buffer, and then in the socket. The caller disposes the stream.
 */
export function openStream(plan: StreamPlan): Promise<Outcome<HttpStream>> {
  return new Promise((resolve, reject) => {
    let forget: (() => void) | undefined;
    let headSeen = false;
    const pieces = makePieces(plan, () => exchange);
    const exchange: Exchange = startExchange(plan.lane, plan.request, {
      onHead(head) {
        headSeen = true;
        forget?.();
        pieces.begin();
        resolve(succeed(makeStream(head, pieces)));
        return undefined;
      },
      onData: (chunk) => pieces.add(chunk),
      onEnd: () => pieces.end(succeed("end")),
      onFailure(failure) {
        forget?.();
        if (headSeen) pieces.end(failWith(failure));
        else resolve(failWith(failure));
      },
      onBug(bug) {
        forget?.();
        reject(bug);
      },
    });
    forget = plan.headDeadline.onStop((cause) => {
      exchange.stop();
      resolve(failWith(makeStopFailure(cause)));
    });
  });
}

interface Pieces {
  /** Starts to listen to the caller's signal and to measure silence. */
  begin(): void;
  add(chunk: Buffer): "go" | "pause" | Failure;
  end(how: Piece): void;
  next(): Promise<Piece>;
  /** Forgets what waits and lets the connection go. */
  drop(): void;
}

function makePieces(plan: StreamPlan, exchange: () => Exchange): Pieces {
  const handout = makeHandout<Piece>(streamBufferBytesMax, {
    hold: () => undefined,
    release() {
      listen();
      exchange().resume();
    },
  });
  let totalBytes = 0;
  let ended = false;
  let stopTimer: (() => void) | undefined;
  let life: Deadline | undefined;

  function listen(): void {
    stopTimer?.();
    stopTimer = undefined;
    // A peer that is held back is silent because we want it to be.
    if (ended || handout.held) return;
    stopTimer = plan.timers.after(plan.idleMs, () => {
      giveUp(makeFailure("timeout", "The answer fell silent for longer than its limit."));
    });
  }
  function end(how: Piece): void {
    ended = true;
    stopTimer?.();
    life?.release();
    handout.end(how);
  }
  function giveUp(failure: Failure): void {
    exchange().stop();
    end(failWith(failure));
  }

  return {
    begin() {
      life = startDeadline({ timers: plan.timers, signal: plan.signal });
      life.onStop((cause) => giveUp(makeStopFailure(cause)));
      listen();
    },
    add(chunk) {
      totalBytes += chunk.length;
      if (plan.bytesMax !== undefined && totalBytes > plan.bytesMax) {
        return makeFailure("capacity", "The body of the answer is larger than its bound.");
      }
      handout.offer(succeed(plainBytes(chunk)), chunk.length + keptOverheadBytes);
      listen();
      return handout.held ? "pause" : "go";
    },
    end,
    next: () => handout.next(),
    drop() {
      handout.clear();
      giveUp(makeFailure("unavailable", "The stream has been given up."));
    },
  };
}

function makeStream(head: AnswerHead, pieces: Pieces): HttpStream {
  return {
    status: head.status,
    headers: head.headers,
    next: () => pieces.next(),
    [Symbol.asyncDispose]() {
      pieces.drop();
      return Promise.resolve();
    },
  };
}
