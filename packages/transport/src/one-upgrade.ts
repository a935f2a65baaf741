import type { Socket } from "node:net";
import { subprotocolsMax } from "@connectors/domain";
import {
  makeFailure,
  type AuthenticatedUpgrade,
  type Failure,
  type Outcome,
  type UpgradeBounds,
  type UpgradeOutcome,
} from "@connectors/sdk";
import { correlationHeader, isCorrelation } from "./correlation.js";
import { makeStopFailure, startDeadline, type Deadline } from "./deadline.js";
import { startDial, type DialPlan } from "./dial.js";
import { shakeHands } from "./handshake.js";
import { isToken } from "./header-lines.js";
import { makeMessageStream } from "./message-stream.js";
import { withEvidence } from "./network-failure.js";
import { prepareRequest, type Reach } from "./reach.js";
import { makeUpgradeBounds } from "./upgrade-bounds.js";

type UpgradeRequest = Parameters<AuthenticatedUpgrade["upgrade"]>[0];
type UpgradeOptions = Parameters<AuthenticatedUpgrade["upgrade"]>[1];

/**
 * An upgrade that is good for one try; it is spent before anything is waited for. The request goes
 * out once, on a socket of its own, made as those of calls are.
 */
export function makeOneUpgrade(reach: Reach, bounds: UpgradeBounds): AuthenticatedUpgrade {
  let unspent: Reach | undefined = reach;
  return {
    upgrade(request, options) {
      const held = unspent;
      unspent = undefined;
      if (held === undefined) {
        return Promise.resolve(
          notSent(makeFailure("lifecycle_conflict", "This upgrade has been used.")),
        );
      }
      return upgradeOnce(held, bounds, request, options);
    },
  };
}

async function upgradeOnce(
  reach: Reach,
  asked: UpgradeBounds,
  request: UpgradeRequest,
  options: UpgradeOptions,
): Promise<UpgradeOutcome> {
  const bounds = makeUpgradeBounds(asked);
  if (!bounds.ok) return notSent(bounds.failure);
  const refused = refuseRequest(request, options);
  if (refused !== undefined) return notSent(refused);
  const { timers } = reach;
  const { timeoutMs } = bounds.value;
  const deadline = startDeadline({ timers, signal: options.signal, timeoutMs });
  const ended = await attempt(reach, bounds.value, request, options, deadline);
  // An accepted stream has taken the deadline over.
  if (ended.kind !== "accepted") deadline.release();
  return ended;
}

async function attempt(
  reach: Reach,
  bounds: UpgradeBounds,
  request: UpgradeRequest,
  options: UpgradeOptions,
  deadline: Deadline,
): Promise<UpgradeOutcome> {
  const prepared = await prepareRequest(reach, request, deadline);
  if (!prepared.ok) return notSent(prepared.failure);
  const { path, lanes, headers } = prepared.value;
  const dialled = await dialWithin(lanes.plan, deadline);
  if (!dialled.ok) return notSent(dialled.failure);
  const socket = dialled.value;
  const shaken = await shakeHands(
    {
      socket,
      url: reach.base.origin.replace(/^http/, "ws") + path,
      subprotocols: request.subprotocols,
      headers: [correlationHeader, options.correlation, ...headers],
      bounds,
      deadline,
    },
    (switched) => makeMessageStream({ socket: switched, bounds, deadline, timers: reach.timers }),
  );
  if (shaken.kind === "switched") return { kind: "accepted", stream: shaken.stream };
  if (shaken.kind === "answered") return shaken;
  // It counts what was handed to the socket, before TLS; nothing else proves that none left.
  return socket.bytesWritten === 0
    ? notSent(shaken.failure)
    : { kind: "lost", failure: withEvidence(shaken.failure, "maybe").failure };
}

async function dialWithin(plan: DialPlan, deadline: Deadline): Promise<Outcome<Socket>> {
  const dial = startDial(plan);
  const forget = deadline.onStop((cause) => dial.cancel(makeStopFailure(cause)));
  const dialled = await dial.done;
  forget();
  return dialled;
}

function refuseRequest(request: UpgradeRequest, options: UpgradeOptions): Failure | undefined {
  if (!isCorrelation(options.correlation)) {
    return makeFailure("invalid_input", "The correlation is not a short token.");
  }
  const offered = request.subprotocols;
  if (offered.length === 0 || offered.length > subprotocolsMax) {
    return makeFailure("invalid_input", "The offer has no subprotocol, or too many.");
  }
  if (!offered.every(isToken) || new Set(offered).size !== offered.length) {
    return makeFailure("invalid_input", "An offered subprotocol is not a token, or stands twice.");
  }
  return undefined;
}

function notSent(failure: Failure): UpgradeOutcome {
  return { kind: "notSent", failure };
}
