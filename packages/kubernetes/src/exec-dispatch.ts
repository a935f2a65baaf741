import type { ExecSubprotocol } from "@connectors/domain";
import { execSubprotocolNames } from "@connectors/kubernetes-client/request";
import {
  makeFailure,
  unreachable,
  type AuthenticatedUpgrade,
  type MessageStream,
} from "@connectors/sdk";
import {
  isExecOver,
  startExecStream,
  stepExecEnd,
  stepExecMessage,
  type ExecStream,
} from "./exec-frames.js";
import type { ExecPlan } from "./exec-prepare.js";
import type { ExecObservation } from "./exec-settle.js";

/** What one use of the capability came to; the stream is read to its end, or to a violation. */
export async function dispatchExec(
  plan: ExecPlan,
  upgrade: AuthenticatedUpgrade,
  options: { readonly correlation: string; readonly signal: AbortSignal },
): Promise<ExecObservation> {
  const outcome = await upgrade.upgrade(plan.request, options);
  switch (outcome.kind) {
    case "notSent":
      return { arrival: "not_sent", failure: outcome.failure };
    case "answered":
      return { arrival: "answered", status: outcome.status, body: outcome.bodyPrefix };
    case "lost":
      return { arrival: "lost", failure: outcome.failure };
    case "accepted":
      return readAccepted(plan, outcome.stream);
    default:
      return unreachable(outcome);
  }
}

async function readAccepted(plan: ExecPlan, messages: MessageStream): Promise<ExecObservation> {
  try {
    const protocol = findOffered(plan, messages.protocol);
    if (protocol === undefined) {
      // The transport accepts what was offered alone; a channel byte of another would mean nothing.
      const failure = makeFailure("upstream_protocol", "the stream speaks another protocol");
      return { arrival: "lost", failure };
    }
    return { arrival: "accepted", protocol, stream: await readStream(plan, messages) };
  } finally {
    await messages[Symbol.asyncDispose]();
  }
}

async function readStream(plan: ExecPlan, messages: MessageStream): Promise<ExecStream> {
  let stream = startExecStream(plan.outputBytesMax);
  while (!isExecOver(stream)) {
    const next = await messages.next();
    stream = "message" in next ? stepExecMessage(stream, next.message) : stepExecEnd(stream, next);
  }
  return stream;
}

function findOffered({ offered }: ExecPlan, name: string): ExecSubprotocol | undefined {
  return offered.find((protocol) => execSubprotocolNames[protocol] === name);
}
