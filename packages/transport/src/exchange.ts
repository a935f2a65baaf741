import type { Dispatcher } from "undici";
import { interimAnswersMax, type SendEvidence } from "@connectors/domain";
import { makeFailure, type Failure } from "@connectors/sdk";
import { readHeaderLines } from "./header-lines.js";
import type { Lane, Seat } from "./lane.js";
import { describeNetworkError, FailureError, makeTransportFailure } from "./network-failure.js";

/** One request as it goes on the wire. */
export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, encoded. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

/** The first part of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** Where an answer goes. After an end, a failure or {@link Exchange.stop} nothing more comes. */
export interface AnswerSink {
  /** A failure refuses the answer. */
  onHead(head: AnswerHead): Failure | undefined;
  /** `pause` holds the socket until `resume`; a failure refuses the rest. */
  onData(chunk: Buffer): "go" | "pause" | Failure;
  onEnd(): void;
  onFailure(failure: Failure, sent: SendEvidence): void;
  /** A broken invariant of ours; not an outcome. */
  onBug(bug: Error): void;
}

/** One request under way. */
export interface Exchange {
  /** `no` until the dispatcher starts to write this request: proof that nothing of it left. */
  readonly sent: SendEvidence;
  /** Gives up; a request that has not started never will. */
  stop(): void;
  resume(): void;
}

/** Hands one request to the lane, once. The answer, or what became of it, goes to `sink`. */
export function startExchange(lane: Lane, request: ExchangeRequest, sink: AnswerSink): Exchange {
  return new LaneExchange(lane, request, sink);
}

type Phase = "waiting" | "started" | "answering" | "done";

class LaneExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #sink: AnswerSink;
  #phase: Phase = "waiting";
  #seat: Seat | undefined;
  #stopWaiting: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #interim = 0;
  #endsWithConnection = false;
  #bug: Error | undefined;

  constructor(lane: Lane, request: ExchangeRequest, sink: AnswerSink) {
    this.#sink = sink;
    const stopWaiting = lane.take((seat) => this.#dispatch(seat, request));
    if (stopWaiting !== undefined) this.#stopWaiting = stopWaiting;
    else this.#fail(makeFailure("capacity", "Too many requests wait for the same server."));
  }

  get sent(): SendEvidence {
    return this.#controller === undefined ? "no" : "maybe";
  }

  stop(): void {
    if (this.#phase === "done") return;
    this.#phase = "done";
    this.#stopWaiting?.();
    this.#controller?.abort(new FailureError(makeTransportFailure("connection_lost")));
  }

  resume(): void {
    if (this.#phase !== "done") this.#controller?.resume();
  }

  #dispatch(seat: Seat, request: ExchangeRequest): void {
    this.#seat = seat;
    seat.dispatcher.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: [...request.headers],
        body: request.body ?? null,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#phase === "done") {
      // Thrown to undici, which then drops the request unwritten.
      throw new FailureError(makeTransportFailure("connection_lost"));
    }
    if (this.#controller !== undefined) {
      this.#bug = new Error("invariant broken: a request is started once");
      throw this.#bug;
    }
    this.#controller = controller;
    this.#phase = "started";
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#phase === "done") return;
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > interimAnswersMax) {
        this.#abandon(makeTransportFailure("malformed_answer"));
      }
      return;
    }
    const headers = readHeaderLines(rawLines(controller.rawHeaders));
    if (!headers.ok) {
      this.#abandon(headers.failure);
      return;
    }
    this.#phase = "answering";
    this.#endsWithConnection = isEndedByConnection(status, headers.value);
    const refused = this.#sink.onHead({ status, headers: headers.value });
    if (refused !== undefined) this.#abandon(refused);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === "done") return;
    const verdict = this.#sink.onData(chunk);
    if (verdict === "pause") controller.pause();
    else if (verdict !== "go") this.#abandon(verdict);
  }

  onResponseEnd(): void {
    this.#leave("sound");
    if (this.#phase === "done") return;
    if (this.#endsWithConnection) {
      // A reset that arrives with the last bytes is told as an end, so this end proves nothing.
      this.#fail(makeTransportFailure("connection_lost"));
      return;
    }
    this.#phase = "done";
    this.#sink.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#leave("spoilt");
    if (this.#phase === "done") return;
    if (this.#bug === undefined) {
      this.#fail(describeNetworkError(error));
      return;
    }
    this.#phase = "done";
    this.#sink.onBug(this.#bug);
  }

  /** Once undici is done with the request, and before anybody is told of its end. */
  #leave(how: "sound" | "spoilt"): void {
    queueMicrotask(() => this.#seat?.release(how));
  }

  #abandon(failure: Failure): void {
    this.#fail(failure);
    this.#controller?.abort(new FailureError(failure));
  }

  #fail(failure: Failure): void {
    this.#phase = "done";
    this.#sink.onFailure(failure, this.sent);
  }
}

type RawHeaders = Dispatcher.DispatchController["rawHeaders"];

function rawLines(raw: RawHeaders): readonly (string | Uint8Array)[] {
  return Array.isArray(raw) ? raw : [];
}

/** Whether nothing but the end of its connection says where a body ends. */
function isEndedByConnection(status: number, headers: ReadonlyMap<string, string>): boolean {
  if (status === 204 || status === 304) return false;
  const coding = headers.get("transfer-encoding");
  return coding === undefined ? !headers.has("content-length") : !/chunked\s*$/i.test(coding);
}
