import {
  failWith,
  makeFailure,
  succeed,
  type HttpPrefix,
  type Outcome,
  type SendFailure,
} from "@connectors/sdk";
import { makeStopFailure, type Deadline } from "./deadline.js";
import { startExchange, type AnswerHead, type Exchange, type ExchangeRequest } from "./exchange.js";
import type { Lane } from "./lane.js";
import { joinBytes } from "./plain-bytes.js";

/** How much of an answer is collected, and what becomes of one that is longer. */
export interface Collecting {
  readonly bytesMax: number;
  /** `refuse`: `capacity`. `cut`: the first bytes, and `complete` is false. */
  readonly longer: "refuse" | "cut";
}

/**
 * Sends one request and collects its answer, at most `bytesMax` of it. Ends with the deadline at
 * the latest, and lets the connection go where the answer was not read to its end. A failure says
 * whether the request may have left; what that means is the caller's to say.
 */
export function collectAnswer(
  lane: Lane,
  request: ExchangeRequest,
  collecting: Collecting,
  deadline: Deadline,
): Promise<Outcome<HttpPrefix, SendFailure>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let head: AnswerHead | undefined;
    let forget: (() => void) | undefined;

    function settle(outcome: Outcome<HttpPrefix, SendFailure>): void {
      forget?.();
      resolve(outcome);
    }
    function give(complete: boolean): void {
      if (head === undefined) return;
      // The one copy: sockets hand out views of larger buffers.
      const body = joinBytes(chunks, Math.min(bytes, collecting.bytesMax));
      settle(succeed({ status: head.status, headers: head.headers, body, complete }));
    }
    const tooLong = makeFailure("capacity", "The body of the answer is larger than its bound.");
    const exchange: Exchange = startExchange(lane, request, {
      onHead(answered) {
        head = answered;
        const announced = Number(answered.headers.get("content-length") ?? 0);
        const refused = collecting.longer === "refuse" && announced > collecting.bytesMax;
        return refused ? tooLong : undefined;
      },
      onData(chunk) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= collecting.bytesMax) return "go";
        if (collecting.longer === "refuse") return tooLong;
        give(false);
        exchange.stop();
        return "go";
      },
      onEnd: () => give(true),
      onFailure: (failure, sent) => settle(failWith({ failure, sent })),
      onBug(bug) {
        forget?.();
        reject(bug);
      },
    });
    forget = deadline.onStop((cause) => {
      const { sent } = exchange;
      exchange.stop();
      settle(failWith({ failure: makeStopFailure(cause), sent }));
    });
  });
}
