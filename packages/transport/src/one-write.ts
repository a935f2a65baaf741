import { requestBodyBytesMax, waitMsMax } from "@connectors/domain";
import {
  failWith,
  makeFailure,
  succeed,
  type AuthenticatedWrite,
  type Failure,
  type HttpAnswer,
  type Outcome,
  type SendFailure,
  type WriteRequest,
} from "@connectors/sdk";
import { collectAnswer } from "./collect-answer.js";
import { correlationHeader, isCorrelation } from "./correlation.js";
import { startDeadline } from "./deadline.js";
import { isHeaderValue } from "./header-lines.js";
import { withEvidence } from "./network-failure.js";
import { isWithin, prepareRequest, type Reach } from "./reach.js";

type SendOptions = Parameters<AuthenticatedWrite["send"]>[1];

/**
 * A write that is good for one try. It is spent before anything is waited for, so two calls can
 * never both send; a lost answer is a failure that says so, and nothing is ever sent again.
 */
export function makeOneWrite(reach: Reach): AuthenticatedWrite {
  let unspent: Reach | undefined = reach;
  return {
    send(request, options) {
      const held = unspent;
      unspent = undefined;
      if (held === undefined) {
        return Promise.resolve(
          notSent(makeFailure("lifecycle_conflict", "This write has been used.")),
        );
      }
      return sendOnce(held, request, options);
    },
  };
}

async function sendOnce(
  reach: Reach,
  request: WriteRequest,
  options: SendOptions,
): Promise<Outcome<HttpAnswer, SendFailure>> {
  const refused = refuseRequest(request, options, reach);
  if (refused !== undefined) return notSent(refused);
  // The caller's bytes may change while the credential is waited for; these do not.
  const body = request.body.length === 0 ? undefined : Uint8Array.from(request.body);
  const timeoutMs = options.timeoutMs ?? reach.limits.requestMs;
  const bytesMax = options.answerBytesMax ?? reach.limits.bodyBytesMax;
  const deadline = startDeadline({ timers: reach.timers, signal: options.signal, timeoutMs });
  try {
    const prepared = await prepareRequest(reach, request, deadline);
    if (!prepared.ok) return notSent(prepared.failure);
    const { path, lanes, headers } = prepared.value;
    const wire = {
      method: request.method,
      path,
      headers: [
        "accept",
        request.accept,
        ...(body === undefined ? [] : ["content-type", request.contentType]),
        correlationHeader,
        options.correlation,
        ...headers,
      ],
      body,
    };
    const collecting = { bytesMax, longer: "refuse" } as const;
    const answer = await collectAnswer(lanes.writes, wire, collecting, deadline);
    if (!answer.ok) return failWith(withEvidence(answer.failure.failure, answer.failure.sent));
    return succeed({
      status: answer.value.status,
      headers: answer.value.headers,
      body: answer.value.body,
    });
  } finally {
    deadline.release();
  }
}

function refuseRequest(
  request: WriteRequest,
  options: SendOptions,
  reach: Reach,
): Failure | undefined {
  if (!isCorrelation(options.correlation)) {
    return makeFailure("invalid_input", "The correlation is not a short token.");
  }
  if (!isHeaderValue(request.accept) || !isHeaderValue(request.contentType)) {
    return makeFailure("invalid_input", "A media type of the request is not a header's value.");
  }
  if (request.body.length > requestBodyBytesMax) {
    return makeFailure("capacity", "The body of the request is larger than its bound.");
  }
  const { timeoutMs, answerBytesMax } = options;
  if (timeoutMs !== undefined && !isWithin(timeoutMs, waitMsMax)) {
    return makeFailure("invalid_input", "The time limit is not in its range.");
  }
  if (answerBytesMax !== undefined && !isWithin(answerBytesMax, reach.limits.bodyBytesMax)) {
    return makeFailure("invalid_input", "The bound of the answer is not in its range.");
  }
  return undefined;
}

function notSent(failure: Failure): Outcome<never, SendFailure> {
  return failWith({ failure, sent: "no" });
}
