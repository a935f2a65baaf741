import type { IncomingMessage } from "node:http";

import type { Identity } from "../access/authorizer.js";
import type { RequestFacts } from "../faults/fault.js";
import { makeUid } from "../objects/identity.js";
import type { ExchangeContext } from "./exchange-context.js";
import { isExec } from "./exec-request.js";
import { parseRequestInfo, type RequestInfo } from "./request-info.js";
import type { RecordHandle } from "./request-log.js";
import { parseRequestTarget, type RequestTarget } from "./request-target.js";
import type { AnswerHead } from "./write-answer.js";

/** A request that has come in: taken apart, its sender known, its record begun. */
export interface Arrival {
  readonly target: RequestTarget | undefined;
  readonly info: RequestInfo;
  readonly identity: Identity | undefined;
  readonly facts: RequestFacts;
  readonly head: AnswerHead;
  readonly record: RecordHandle;
}

/** Takes a request in. */
export function arrive(context: ExchangeContext, request: IncomingMessage): Arrival {
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

// A person at a shell gets JSON to read, as from the real server.
function isPretty(request: IncomingMessage, query: URLSearchParams): boolean {
  const asked = query.get("pretty");
  if (asked !== null) return asked !== "0" && asked !== "false";
  return /^(?:curl|Wget|Mozilla\/5\.0)/u.test(request.headers["user-agent"] ?? "");
}

function describeHeaders(
  request: IncomingMessage,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
