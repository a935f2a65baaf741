import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { simulatorBounds } from "../bounds.js";
import { badRequest, bodyTooLarge } from "../refusals.js";
import { answerStatus, type Answer } from "./answer.js";
import { arrive, type Arrival } from "./arrival.js";
import { readBody } from "./body.js";
import type { ExchangeContext } from "./exchange-context.js";
import { checkExec, isExec } from "./exec-request.js";
import { serveUpgrade } from "./exec-upgrade.js";
import { surviveFault, type FaultSite } from "./fault-site.js";
import { mediaTypeOf } from "./negotiate.js";
import { route } from "./route.js";
import { writeAnswer, writeFaultAnswer, writeStream } from "./write-answer.js";

/** Answers requests and upgrades. */
export interface Exchange {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** The exchange of one server. */
export function makeExchange(context: ExchangeContext): Exchange {
  return {
    onRequest: (request, response) => {
      void serve(context, request, response);
    },
    onUpgrade: (request, socket, head) => {
      void serveUpgrade(context, request, socket, head);
    },
  };
}

async function serve(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const arrival = arrive(context, request);
  const { record, facts, head } = arrival;
  const body = await readBody(request);
  if (body.kind === "gone") return;
  if (body.kind === "text") record.note({ body: body.text });
  const site: FaultSite = {
    socket: request.socket,
    answer: (answer) => {
      writeFaultAnswer(response, answer);
    },
  };
  const before = context.faults().before(facts);
  if (!(await surviveFault(context, record, before, site))) return;

  let answer: Answer = answerStatus(bodyTooLarge(simulatorBounds.bodyBytesMax));
  if (body.kind === "text") {
    if (before.kind === "duplicate") await execute(context, request, arrival, body.text);
    answer = await execute(context, request, arrival, body.text);
  } else {
    // The rest of the body was never read, so the connection is of no more use.
    response.setHeader("Connection", "close");
  }
  record.note({ status: answer.kind === "body" ? answer.status : 200 });
  const after = context.faults().after(facts);
  if (!(await surviveFault(context, record, after, site))) return;
  if (response.destroyed) return;
  if (answer.kind === "stream") writeStream(response, answer, head);
  else writeAnswer(response, answer, head);
}

async function execute(
  context: ExchangeContext,
  request: IncomingMessage,
  arrival: Arrival,
  body: string,
): Promise<Answer> {
  const { target, info, identity } = arrival;
  if (target === undefined) return answerStatus(badRequest("the path cannot be decoded"));
  const refusal = context.gate.refuse(request, identity, info);
  if (refusal !== undefined || identity === undefined) {
    return answerStatus(refusal ?? badRequest("nobody asks"));
  }
  if (isExec(info)) {
    const exec = checkExec(context.api, identity, info, target.query);
    return answerStatus(exec.ok ? badRequest("Upgrade request required") : exec.status);
  }
  arrival.record.noteExecution();
  return await route(context.api, {
    method: request.method ?? "GET",
    info,
    identity,
    query: target.query,
    body,
    contentType: mediaTypeOf(request.headers["content-type"]),
    accept: request.headers.accept,
    agent: agentOf(request),
  });
}

function agentOf(request: IncomingMessage): string {
  const agent = request.headers["user-agent"] ?? "";
  return agent.split("/")[0]?.slice(0, AGENT_LENGTH_MAX) || "unknown";
}

// The longest name of a field manager.
const AGENT_LENGTH_MAX = 128;
