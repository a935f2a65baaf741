import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Identity } from "../access/authorizer.js";
import { simulatorBounds } from "../bounds.js";
import type { ExecSession, KubeletView } from "../exec/session.js";
import type { FaultEngine } from "../faults/engine.js";
import type { FaultDecision, RequestFacts } from "../faults/fault.js";
import { makeUid } from "../objects/identity.js";
import type { Surroundings } from "../ports.js";
import { badRequest, bodyTooLarge } from "../refusals.js";
import type { Status } from "../status.js";
import { answerStatus, type Answer } from "./answer.js";
import { readBody } from "./body.js";
import { followPod, isExec, parseExec, refuseExecWithoutCreate } from "./exec-request.js";
import type { Gate } from "./gate.js";
import { mediaTypeOf } from "./negotiate.js";
import { parseRequestInfo, type RequestInfo } from "./request-info.js";
import type { RecordHandle, RequestLog } from "./request-log.js";
import { parseRequestTarget, type RequestTarget } from "./request-target.js";
import { route, type Api } from "./route.js";
import {
  encodeAnswer,
  writeAnswer,
  writeFaultAnswer,
  writeRawAnswer,
  writeStream,
  type AnswerHead,
} from "./write-answer.js";

/** What answering requests needs. */
export interface ExchangeContext {
  readonly api: Api;
  readonly gate: Gate;
  readonly log: RequestLog;
  readonly faults: () => FaultEngine;
  readonly kubelet: KubeletView;
  readonly surroundings: Surroundings;
  readonly openExec: (session: ExecSession) => void;
  /** Ends a connection with an RST. */
  readonly reset: (socket: Duplex) => void;
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}

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
      void upgrade(context, request, socket, head);
    },
  };
}

interface Arrival {
  readonly target: RequestTarget | undefined;
  readonly info: RequestInfo;
  readonly identity: Identity | undefined;
  readonly facts: RequestFacts;
  readonly head: AnswerHead;
  readonly record: RecordHandle;
}

function arrive(context: ExchangeContext, request: IncomingMessage): Arrival {
  const { url = "/", method = "GET" } = request;
  const target = parseRequestTarget(url);
  const query = target?.query ?? new URLSearchParams();
  const info = parseRequestInfo(method, target?.path ?? url, query);
  const identity = context.gate.identify(request);
  const auditId = request.headersDistinct["audit-id"]?.[0] ?? makeUid(context.surroundings.random);
  const record = context.log.begin({
    atMs: context.surroundings.clock.nowMs(),
    method,
    path: target?.rawPath ?? url,
    query: target?.rawQuery ?? "",
    headers: describeHeaders(request),
    // Header text is bytes to Node; what a client wrote is UTF-8.
    auditId: Buffer.from(auditId, "latin1").toString("utf8"),
    ...(identity === undefined ? {} : { user: identity.name }),
  });
  return {
    target,
    info,
    identity,
    record,
    facts: {
      method,
      target: url,
      ...(identity === undefined ? {} : { user: identity.name }),
      ...(isExec(info) ? { command: query.getAll("command") } : {}),
    },
    head: {
      auditId,
      pretty: isPretty(request, query),
      flowSchemaUid: context.flowSchemaUid,
      priorityLevelUid: context.priorityLevelUid,
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
    const exec = checkExec(context, identity, info, target.query);
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

function checkExec(
  { api }: ExchangeContext,
  identity: Identity,
  info: Extract<RequestInfo, { kind: "resource" }>,
  query: URLSearchParams,
): ReturnType<typeof parseExec> {
  const refusal =
    info.verb === "get" ? refuseExecWithoutCreate(api.authorizer, identity, info) : undefined;
  if (refusal !== undefined) return { ok: false, status: refusal };
  return parseExec(api.world, info, query);
}

async function upgrade(
  context: ExchangeContext,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on("error", () => {
    socket.destroy();
  });
  const arrival = arrive(context, request);
  const { record, info, identity, target } = arrival;
  const refuse = (httpStatus: number, status?: Status): void => {
    record.note({ status: httpStatus });
    const answer = answerStatus(status ?? badRequest(""));
    const encoded =
      status === undefined
        ? { ...encodeAnswer(answer, arrival.head), text: "" }
        : encodeAnswer(answer, arrival.head);
    const headers = {
      ...encoded.headers,
      "Content-Length": String(Buffer.byteLength(encoded.text)),
    };
    writeRawAnswer(socket, httpStatus, STATUS_CODES[httpStatus] ?? "", { ...encoded, headers });
  };
  const decision = context.faults().before(arrival.facts);
  const survives = await surviveFault(context, record, decision, {
    socket,
    answer: ({ status, headers, body }) => {
      const sized = { ...headers, "Content-Length": String(Buffer.byteLength(body)) };
      writeRawAnswer(socket, status, STATUS_CODES[status] ?? "", { headers: sized, text: body });
    },
  });
  if (!survives || socket.destroyed) return;
  const refusal = context.gate.refuse(request, identity, info);
  if (refusal !== undefined || identity === undefined || target === undefined) {
    const status = refusal ?? badRequest("the path cannot be decoded");
    refuse(status.code ?? 400, status);
    return;
  }
  if (!isExec(info)) {
    refuse(400, badRequest("nothing here can be upgraded"));
    return;
  }
  const exec = checkExec(context, identity, info, target.query);
  if (!exec.ok) {
    refuse(exec.status.code ?? 400, exec.status);
    return;
  }
  record.noteExecution();
  const { deleted, stop } = followPod(context.api.world, exec.value.pod);
  socket.once("close", stop);
  context.openExec({
    ...exec.value,
    user: identity.name,
    request,
    socket,
    head,
    cluster: {
      clock: context.surroundings.clock,
      timers: context.surroundings.timers,
      kubelet: context.kubelet,
      podDeleted: deleted,
    },
    refuse,
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

interface FaultSite {
  readonly socket: Duplex;
  readonly answer: (answer: Extract<FaultDecision, { kind: "answer" }>["answer"]) => void;
}

// Does what a script decided; false when the request is over with that.
async function surviveFault(
  context: ExchangeContext,
  record: RecordHandle,
  decision: FaultDecision,
  site: FaultSite,
): Promise<boolean> {
  if (decision.kind !== "none") record.noteFault(decision.kind);
  switch (decision.kind) {
    case "none":
    case "duplicate":
      return true;
    case "delay":
      await new Promise<void>((resolve) => {
        context.surroundings.timers.after(decision.ms, resolve);
      });
      return true;
    case "drop_before_commit":
    case "drop_after_commit":
      site.socket.destroy();
      return false;
    case "reset":
      context.reset(site.socket);
      return false;
    case "half_open":
      return false;
    case "answer":
    case "answer_after_commit":
      record.note({ status: decision.answer.status });
      site.answer(decision.answer);
      return false;
  }
}

// A person at a shell gets JSON to read, as from the real server.
function isPretty(request: IncomingMessage, query: URLSearchParams): boolean {
  const asked = query.get("pretty");
  if (asked !== null) return asked !== "0" && asked !== "false";
  return /^(?:curl|Wget|Mozilla\/5\.0)/u.test(request.headers["user-agent"] ?? "");
}

function agentOf(request: IncomingMessage): string {
  const agent = request.headers["user-agent"] ?? "";
  return agent.split("/")[0]?.slice(0, AGENT_LENGTH_MAX) || "unknown";
}

// The longest name of a field manager.
const AGENT_LENGTH_MAX = 128;

function describeHeaders(
  request: IncomingMessage,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
