import { faultBounds } from "./fault-bounds.js";
import type {
  Fault,
  FaultAnswer,
  FaultMatch,
  FaultMoment,
  FaultRule,
  RequestFault,
} from "./fault.js";
import { readExecHandshake, readExecStream } from "./parse-exec-faults.js";
import {
  parseNode,
  readChoice,
  readEntries,
  readInteger,
  readList,
  readObject,
  readString,
  reject,
  required,
  type Node,
  type Parsed,
} from "./untrusted.js";

/** The only format of fault scripts. */
export const FAULTS_FORMAT = "connectors.simulator-faults/1";

const KINDS = [
  "delay",
  "drop_before_commit",
  "drop_after_commit",
  "reset",
  "half_open",
  "duplicate",
  "answer",
  "answer_after_commit",
  "exec_handshake",
  "exec_stream",
] as const;

const MOMENTS: readonly FaultMoment[] = ["before_commit", "after_commit"];

/** The rules of a fault script, or everything that is wrong with it. The text is JSON. */
export function parseFaults(text: string): Parsed<readonly FaultRule[]> {
  if (Buffer.byteLength(text) > faultBounds.textBytesMax) {
    return wrong(`must have at most ${faultBounds.textBytesMax} bytes`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong("must be JSON");
  }
  return parseNode(value, readScript);
}

function wrong(message: string): Parsed<never> {
  return { ok: false, issues: [{ path: "(top)", message }] };
}

function readScript(node: Node): readonly FaultRule[] | undefined {
  const members = readObject(node, ["format", "rules"]);
  if (members === undefined) return undefined;
  const format = required(node, members.format, "format");
  if (format !== undefined) readChoice(format, [FAULTS_FORMAT]);
  const rules = required(node, members.rules, "rules");
  return rules === undefined ? undefined : readList(rules, faultBounds.rulesMax, readRule);
}

function readRule(node: Node): FaultRule | undefined {
  const members = readObject(node, ["match", "fault"]);
  const faultNode = members && required(node, members.fault, "fault");
  if (members === undefined || faultNode === undefined) return undefined;
  const fault = readFault(faultNode);
  const match = members.match === undefined ? {} : readMatch(members.match);
  if (fault === undefined || match === undefined) return undefined;
  const isExec = fault.kind === "exec_handshake" || fault.kind === "exec_stream";
  if (match.command !== undefined && !isExec)
    return reject(node, "a command goes with exec faults");
  return { match, fault };
}

function readMatch(node: Node): FaultMatch | undefined {
  const members = readObject(node, ["method", "pathPattern", "user", "command", "nth", "times"]);
  if (members === undefined) return undefined;
  const { nameBytesMax, argvMax, countMax } = faultBounds;
  const text = (member: Node | undefined): string | undefined =>
    member && readString(member, nameBytesMax);
  const method = text(members.method)?.toUpperCase();
  const pathPattern = text(members.pathPattern);
  const user = text(members.user);
  const command =
    members.command && readList(members.command, argvMax, (item) => readString(item, nameBytesMax));
  const nth = members.nth && readInteger(members.nth, 1, countMax);
  const times =
    members.times?.value === "always"
      ? "always"
      : members.times && readInteger(members.times, 1, countMax);
  return {
    ...(method === undefined ? {} : { method }),
    ...(pathPattern === undefined ? {} : { pathPattern }),
    ...(user === undefined ? {} : { user }),
    ...(command === undefined ? {} : { command }),
    ...(nth === undefined ? {} : { nth }),
    ...(times === undefined ? {} : { times }),
  };
}

function readFault(node: Node): Fault | undefined {
  const kind = readKind(node);
  switch (kind) {
    case undefined:
      return undefined;
    case "exec_handshake":
      return readExecHandshake(node);
    case "exec_stream":
      return readExecStream(node);
    case "delay": {
      const members = readObject(node, ["kind", "at", "ms"]);
      const msNode = members && required(node, members.ms, "ms");
      const ms = msNode && readInteger(msNode, 0, faultBounds.delayMsMax);
      return ms === undefined ? undefined : { kind, ms, ...readMoment(members?.at) };
    }
    case "reset":
    case "half_open": {
      const members = readObject(node, ["kind", "at"]);
      return members && { kind, ...readMoment(members.at) };
    }
    case "drop_before_commit":
    case "drop_after_commit":
    case "duplicate":
      return readObject(node, ["kind"]) && { kind };
    case "answer":
    case "answer_after_commit":
      return readAnswer(node, kind);
  }
}

function readKind(node: Node): (typeof KINDS)[number] | undefined {
  const { value } = node;
  if (typeof value !== "object" || value === null) return reject(node, "must be an object");
  const kind: Node = { ...node, value: Reflect.get(value, "kind"), path: `${node.path}.kind` };
  return readChoice(kind, KINDS);
}

function readMoment(node: Node | undefined): { readonly at?: FaultMoment } {
  const at = node && readChoice(node, MOMENTS);
  return at === undefined ? {} : { at };
}

function readAnswer(node: Node, kind: "answer" | "answer_after_commit"): RequestFault | undefined {
  const members = readObject(node, ["kind", "status", "headers", "body"]);
  const statusNode = members && required(node, members.status, "status");
  const status = statusNode && readInteger(statusNode, 200, 599);
  if (members === undefined || status === undefined) return undefined;
  const body = members.body === undefined ? { text: "" } : readBody(members.body);
  const headers = members.headers === undefined ? {} : readHeaders(members.headers);
  if (body === undefined) return undefined;
  const answer: FaultAnswer = { status, headers: { ...body.headers, ...headers }, body: body.text };
  return { kind, answer };
}

interface Body {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A string goes out as it is; anything else as JSON, and is called so. */
function readBody(node: Node): Body | undefined {
  if (typeof node.value === "string") {
    const text = readString(node, faultBounds.bodyBytesMax);
    return text === undefined ? undefined : { text };
  }
  const text = `${JSON.stringify(node.value)}\n`;
  if (Buffer.byteLength(text) > faultBounds.bodyBytesMax) {
    return reject(node, `must have at most ${faultBounds.bodyBytesMax} bytes`);
  }
  return { text, headers: { "content-type": "application/json" } };
}

function readHeaders(node: Node): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [name, member] of readEntries(node, faultBounds.headersMax)) {
    const value = readString(member, faultBounds.nameBytesMax);
    const isName = /^[!#$%&'*+.^_`|~\w-]+$/u.test(name);
    if (!isName) reject(member, "is no header's name");
    else if (value !== undefined && !/^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value)) {
      reject(member, "is no header's value");
    } else if (value !== undefined) headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}
