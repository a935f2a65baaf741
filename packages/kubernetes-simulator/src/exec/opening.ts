import type { HandshakeBreak } from "../faults/exec-fault.js";
import { makeFailure } from "../status.js";
import type { CommandResult } from "./exec-status.js";
import { checkHandshake, NO_SUBPROTOCOL, writeRefusal } from "./handshake.js";
import {
  describeUnreachable,
  REFUSED_DIAL,
  whyKubeletRefuses,
  writeKubeletAnswer,
} from "./kubelet-answers.js";
import type { ExecSession } from "./session.js";
import { answererOf, chooseSubprotocol, offeredNames, type Subprotocol } from "./subprotocol.js";

/** What a session is switched to. */
export interface Opening {
  readonly subprotocol: Subprotocol;
  /** Why there is nothing to run, when v5 has to say so on the stream. */
  readonly refusal: CommandResult | undefined;
  readonly broken: HandshakeBreak | undefined;
}

/** What the record says of a request that got no status at all. */
export const NEVER_ANSWERED = 0;

/** What is switched to, or nothing when the session has been answered without a switch. */
export function decideOpening(
  session: ExecSession,
  broken: HandshakeBreak | undefined,
): Opening | undefined {
  const { request, cluster } = session;
  if (broken === "no_answer" || broken === "cut" || broken === "reset") {
    return breakOff(session, broken);
  }
  const isLost = broken === "kubelet_lost" || cluster.kubelet.state() === "lost";
  const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket";
  const offered = offeredNames(request.headers["sec-websocket-protocol"]);
  const answerer = isWebSocket ? answererOf(offered) : "kubelet";
  const kubeletRefusal = isLost ? undefined : whyKubeletRefuses(session);
  if (answerer === "kubelet" && isLost) {
    session.refuse(500, makeFailure(500, undefined, `error dialing backend: ${REFUSED_DIAL}`));
    return undefined;
  }
  if (answerer === "kubelet" && kubeletRefusal !== undefined) {
    writeKubeletAnswer(session, kubeletRefusal);
    return undefined;
  }
  if (!isWebSocket) {
    refuseOtherUpgrade(session);
    return undefined;
  }
  const subprotocol = chooseSubprotocol(offered);
  const wrong = checkHandshake(request) ?? (subprotocol === undefined ? NO_SUBPROTOCOL : undefined);
  if (wrong !== undefined || subprotocol === undefined) {
    writeRefusal(session.socket, wrong ?? NO_SUBPROTOCOL, answerer);
    session.answered((wrong ?? NO_SUBPROTOCOL).status);
    return undefined;
  }
  const unreachable = isLost ? describeUnreachable(session) : undefined;
  const upgrade = kubeletRefusal && `unable to upgrade connection: ${kubeletRefusal.body}`;
  const why = unreachable ?? upgrade;
  const refusal: CommandResult | undefined =
    why === undefined ? undefined : { result: "unreachable", why };
  return { subprotocol, refusal, broken };
}

function breakOff(session: ExecSession, broken: "no_answer" | "cut" | "reset"): undefined {
  session.answered(NEVER_ANSWERED);
  if (broken === "cut") session.socket.destroy();
  if (broken === "reset") session.reset();
}

/** SPDY, or something that nobody speaks. */
function refuseOtherUpgrade(session: ExecSession): void {
  const isSpdy = session.request.headers["x-stream-protocol-version"] !== undefined;
  if (!isSpdy) {
    return writeKubeletAnswer(session, {
      status: 400,
      reason: "Bad Request",
      headers: ["X-Content-Type-Options: nosniff"],
      body: "unable to upgrade: X-Stream-Protocol-Version is required\n",
    });
  }
  const message =
    "the simulator does not speak SPDY: use WebSocket with v4.channel.k8s.io or v5.channel.k8s.io";
  session.refuse(400, makeFailure(400, "BadRequest", message));
}
