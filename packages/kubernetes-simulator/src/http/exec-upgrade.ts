import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { badRequest } from "../refusals.js";
import type { Status } from "../status.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { answerStatus } from "./answer.js";
import { arrive, type Arrival } from "./arrival.js";
import type { ExchangeContext } from "./exchange-context.js";
import { checkExec, followPod, isExec, type ExecRequest } from "./exec-request.js";
import { surviveFault } from "./fault-site.js";
import { encodeAnswer, writeRawAnswer } from "./write-answer.js";

/** Answers a request with an `Upgrade` header: an exec whose every check it passes is opened. */
export async function serveUpgrade(
  context: ExchangeContext,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on("error", () => {
    socket.destroy();
  });
  const arrival = arrive(context, request);
  const decision = context.faults().before(arrival.facts);
  const survives = await surviveFault(context, arrival.record, decision, {
    socket,
    answer: ({ status, headers, body }) => {
      writeSized(socket, status, headers, body);
    },
  });
  if (!survives || socket.destroyed) return;
  const admitted = admit(context, request, arrival);
  if (admitted.ok) open(context, arrival, admitted.value, { request, socket, head });
  else refuseRaw(arrival, socket, admitted.status.code ?? 400, admitted.status);
}

interface Admitted {
  readonly exec: ExecRequest;
  readonly user: string;
}

function admit(
  context: ExchangeContext,
  request: IncomingMessage,
  { info, identity, target }: Arrival,
): Verdict<Admitted> {
  const refusal = context.gate.refuse(request, identity, info);
  if (refusal !== undefined) return refuse(refusal);
  if (identity === undefined || target === undefined) {
    return refuse(badRequest("the path cannot be decoded"));
  }
  if (!isExec(info)) return refuse(badRequest("nothing here can be upgraded"));
  const exec = checkExec(context.api, identity, info, target.query);
  return exec.ok ? accept({ exec: exec.value, user: identity.name }) : exec;
}

function open(
  context: ExchangeContext,
  arrival: Arrival,
  { exec, user }: Admitted,
  upgrade: {
    readonly request: IncomingMessage;
    readonly socket: Duplex;
    readonly head: Buffer;
  },
): void {
  const { record } = arrival;
  const { socket } = upgrade;
  const { clock, timers } = context.surroundings;
  const { deleted, stop } = followPod(context.api.world, exec.pod);
  socket.once("close", stop);
  record.noteExecution();
  context.openExec({
    ...exec,
    ...upgrade,
    user,
    cluster: { clock, timers, kubelet: context.kubelet, podDeleted: deleted },
    refuse: (httpStatus, status) => {
      refuseRaw(arrival, socket, httpStatus, status);
    },
    answered: (httpStatus) => {
      record.note({ status: httpStatus });
    },
    reset: () => {
      context.reset(socket);
    },
    accepted: () => {
      record.note({ status: 101 });
    },
  });
}

function refuseRaw(arrival: Arrival, socket: Duplex, httpStatus: number, status?: Status): void {
  arrival.record.note({ status: httpStatus });
  const { headers, text } = encodeAnswer(answerStatus(status ?? badRequest("")), arrival.head);
  writeSized(socket, httpStatus, headers, status === undefined ? "" : text);
}

function writeSized(
  socket: Duplex,
  httpStatus: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  const sized = { ...headers, "Content-Length": String(Buffer.byteLength(text)) };
  writeRawAnswer(socket, httpStatus, STATUS_CODES[httpStatus] ?? "", { headers: sized, text });
}
