import { bodyBytesMax, waitMsMax } from "@connectors/domain";
import {
  fail,
  failWith,
  succeed,
  type AuthenticatedHttp,
  type HttpAnswer,
  type HttpPrefix,
  type HttpTarget,
  type Outcome,
  type ReadOptions,
} from "@connectors/sdk";
import { collectAnswer, type Collecting } from "./collect-answer.js";
import { startDeadline, type Deadline } from "./deadline.js";
import { isHeaderValue } from "./header-lines.js";
import { openStream } from "./http-stream.js";
import { isWithin, prepareRequest, type Reach } from "./reach.js";

/** Reads within `reach`; it holds nothing that could write. */
export function makeReader(reach: Reach): AuthenticatedHttp {
  return {
    async get(target, options) {
      const bytesMax = narrowed(reach, options);
      const read = await readAnswer(reach, target, options, { bytesMax, longer: "refuse" });
      if (!read.ok) return read;
      const { status, headers, body } = read.value;
      return succeed<HttpAnswer>({ status, headers, body });
    },
    async getPrefix(target, limit, options) {
      if (!isWithin(limit, reach.limits.bodyBytesMax)) {
        return fail("invalid_input", "The prefix is not from 1 byte to the bound of a body.");
      }
      const bytesMax = Math.min(limit, narrowed(reach, options));
      return readAnswer(reach, target, options, { bytesMax, longer: "cut" });
    },
    async getStream(target, options) {
      if (!isWithin(options.idleMs, waitMsMax)) return refuseWaits();
      return withDeadline(reach, options, async (deadline) => {
        const prepared = await prepareRequest(reach, target, deadline);
        if (!prepared.ok) return prepared;
        const { path, lanes, headers } = prepared.value;
        return openStream({
          lane: lanes.streams,
          request: {
            method: "GET",
            path,
            headers: ["accept", options.accept, ...headers],
            body: undefined,
          },
          headDeadline: deadline,
          signal: options.signal,
          idleMs: options.idleMs,
          // A watch has no end to bound; a caller that knows one says so.
          bytesMax: options.bodyBytesMax,
          timers: reach.timers,
        });
      });
    },
  };
}

function readAnswer(
  reach: Reach,
  target: HttpTarget,
  options: ReadOptions,
  collecting: Collecting,
): Promise<Outcome<HttpPrefix>> {
  return withDeadline(reach, options, async (deadline) => {
    const prepared = await prepareRequest(reach, target, deadline);
    if (!prepared.ok) return prepared;
    const { path, lanes, headers } = prepared.value;
    const request = {
      method: "GET",
      path,
      headers: ["accept", options.accept, ...headers],
      body: undefined,
    } as const;
    const answer = await collectAnswer(lanes.reads, request, collecting, deadline);
    return answer.ok ? answer : failWith(answer.failure.failure);
  });
}

async function withDeadline<T>(
  reach: Reach,
  options: ReadOptions,
  work: (deadline: Deadline) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const timeoutMs = options.timeoutMs ?? reach.limits.requestMs;
  if (!isWithin(timeoutMs, waitMsMax)) return refuseWaits();
  if (options.bodyBytesMax !== undefined && !isWithin(options.bodyBytesMax, Infinity)) {
    return fail("invalid_input", "The bound of a body is not a whole number of bytes from 1.");
  }
  if (!isHeaderValue(options.accept)) {
    return fail("invalid_input", "The accepted media type is not a header's value.");
  }
  const deadline = startDeadline({ timers: reach.timers, signal: options.signal, timeoutMs });
  try {
    return await work(deadline);
  } finally {
    deadline.release();
  }
}

function narrowed(reach: Reach, options: ReadOptions): number {
  return Math.min(options.bodyBytesMax ?? bodyBytesMax, reach.limits.bodyBytesMax);
}

function refuseWaits(): Outcome<never> {
  return fail("invalid_input", "A time limit is not a whole number of milliseconds in its range.");
}
