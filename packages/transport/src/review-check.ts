import { reviewAnswerBytesMax, reviewRequestBytesMax } from "@connectors/domain";
import {
  fail,
  failWith,
  succeed,
  type AuthenticatedCheck,
  type HttpAnswer,
  type ReviewPath,
} from "@connectors/sdk";
import { collectAnswer } from "./collect-answer.js";
import { startDeadline } from "./deadline.js";
import { prepareRequest, type Reach } from "./reach.js";

// The whole of what a check can reach.
const reviewSegments: Readonly<Record<ReviewPath, readonly string[]>> = {
  selfsubjectreviews: ["apis", "authentication.k8s.io", "v1", "selfsubjectreviews"],
  selfsubjectaccessreviews: ["apis", "authorization.k8s.io", "v1", "selfsubjectaccessreviews"],
};

/** A check that POSTs to one review path, and to nothing else. */
export function makeCheck(reach: Reach, path: ReviewPath): AuthenticatedCheck {
  const segments = reviewSegments[path];
  return {
    async check(body, { signal }) {
      if (body.length > reviewRequestBytesMax) {
        return fail("capacity", "The review is larger than its bound.");
      }
      const sentBody = Uint8Array.from(body);
      const timeoutMs = reach.limits.requestMs;
      const deadline = startDeadline({ timers: reach.timers, signal, timeoutMs });
      try {
        const prepared = await prepareRequest(reach, { segments }, deadline);
        if (!prepared.ok) return prepared;
        const { lanes, headers } = prepared.value;
        const request = {
          method: "POST",
          path: prepared.value.path,
          headers: ["accept", json, "content-type", json, ...headers],
          body: sentBody,
        } as const;
        const collecting = { bytesMax: reviewAnswerBytesMax, longer: "refuse" } as const;
        const answer = await collectAnswer(lanes.reads, request, collecting, deadline);
        if (!answer.ok) return failWith(answer.failure.failure);
        const { status, headers: answered, body: text } = answer.value;
        return succeed<HttpAnswer>({ status, headers: answered, body: text });
      } finally {
        deadline.release();
      }
    },
  };
}

const json = "application/json";
