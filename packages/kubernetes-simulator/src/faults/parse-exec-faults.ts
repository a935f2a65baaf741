import type {
  ExecHandshakeFault,
  ExecStreamFault,
  HandshakeBreak,
  StreamAct,
  StreamMoment,
} from "./exec-fault.js";
import { faultBounds } from "./fault-bounds.js";
import {
  readBase64,
  readChoice,
  readInteger,
  readList,
  readObject,
  readString,
  reject,
  required,
  type Node,
} from "./untrusted.js";

const BREAKS: readonly HandshakeBreak[] = [
  "accept_wrong",
  "accept_missing",
  "upgrade_missing",
  "subprotocol_missing",
  "subprotocol_unoffered",
  "subprotocol_doubled",
  "kubelet_lost",
  "no_answer",
  "cut",
  "reset",
];

const BARE_ACTS = [
  "kubelet_lost",
  "runtime_lost",
  "container_killed",
  "api_server_killed",
  "cut",
  "reset",
  "stall",
  "half_open",
  "empty_message",
] as const;

const ACTS = [
  ...BARE_ACTS,
  "wait",
  "close",
  "message",
  "flood",
  "text_message",
  "raw",
  "pings",
] as const;

const MOMENTS = ["switch", "before_status", "after_status"] as const;

/** `{"kind": "exec_handshake", "break": …}` */
export function readExecHandshake(node: Node): ExecHandshakeFault | undefined {
  const members = readObject(node, ["kind", "break"]);
  const breakNode = members && required(node, members.break, "break");
  const broken = breakNode && readChoice(breakNode, BREAKS);
  return broken && { kind: "exec_handshake", break: broken };
}

/** `{"kind": "exec_stream", "when": …, "acts": […]}` */
export function readExecStream(node: Node): ExecStreamFault | undefined {
  const members = readObject(node, ["kind", "when", "acts"]);
  const whenNode = members && required(node, members.when, "when");
  const actsNode = members && required(node, members.acts, "acts");
  const when = whenNode && readMoment(whenNode);
  const acts = actsNode && readList(actsNode, faultBounds.actsMax, readAct);
  if (when === undefined || acts === undefined) return undefined;
  return { kind: "exec_stream", when, acts };
}

/** A moment's name, or `{"messages": n}`, or `{"ms": n}`. */
function readMoment(node: Node): StreamMoment | undefined {
  if (typeof node.value === "string") {
    const at = readChoice(node, MOMENTS);
    return at && { at };
  }
  const members = readObject(node, ["messages", "ms"]);
  if (members === undefined) return undefined;
  if ((members.messages === undefined) === (members.ms === undefined)) {
    return reject(node, "must have one of messages, ms");
  }
  if (members.messages !== undefined) {
    const count = readInteger(members.messages, 1, faultBounds.countMax);
    return count === undefined ? undefined : { at: "messages", count };
  }
  const ms = members.ms && readInteger(members.ms, 0, faultBounds.delayMsMax);
  return ms === undefined ? undefined : { at: "elapsed", ms };
}

/** An act's name alone where it needs nothing else, or an object with it as `act`. */
function readAct(node: Node): StreamAct | undefined {
  if (typeof node.value === "string") {
    const act = readChoice(node, BARE_ACTS);
    return act && { act };
  }
  const keys = ["act", "ms", "code", "channel", "text", "base64", "bytes", "times"] as const;
  const members = readObject(node, keys);
  const actNode = members && required(node, members.act, "act");
  const act = actNode && readChoice(actNode, ACTS);
  if (members === undefined || act === undefined) return undefined;
  const wanted = WANTED[act] ?? [];
  for (const key of keys) {
    const member = members[key];
    if (key !== "act" && member !== undefined && !wanted.includes(key)) {
      reject(member, `does not go with ${act}`);
    }
  }
  return makeAct(node, act, members);
}

type Key = "act" | "ms" | "code" | "channel" | "text" | "base64" | "bytes" | "times";

const WANTED: Readonly<Partial<Record<(typeof ACTS)[number], readonly Key[]>>> = {
  wait: ["ms"],
  close: ["code"],
  message: ["channel", "text", "base64"],
  flood: ["channel", "bytes", "times"],
  text_message: ["text"],
  raw: ["base64"],
  pings: ["times"],
};

function makeAct(
  node: Node,
  act: (typeof ACTS)[number],
  members: Readonly<Record<Key, Node | undefined>>,
): StreamAct | undefined {
  const { bodyBytesMax, delayMsMax, floodBytesMax, floodTotalBytesMax, repeatsMax } = faultBounds;
  const integer = (key: Key, min: number, max: number): number | undefined => {
    const member = required(node, members[key], key);
    return member && readInteger(member, min, max);
  };
  switch (act) {
    case "wait": {
      const ms = integer("ms", 0, delayMsMax);
      return ms === undefined ? undefined : { act, ms };
    }
    case "close": {
      const code = integer("code", 1_000, 4_999);
      if (code !== undefined && !isCloseCode(code)) return reject(node, "is no code that is sent");
      return code === undefined ? undefined : { act, code };
    }
    case "message": {
      const channel = integer("channel", 0, 255);
      const data = readData(node, members.text, members.base64);
      return channel === undefined || data === undefined ? undefined : { act, channel, data };
    }
    case "flood": {
      const channel = integer("channel", 0, 255);
      const bytes = integer("bytes", 0, floodBytesMax);
      const times = members.times === undefined ? 1 : integer("times", 1, repeatsMax);
      if (channel === undefined || bytes === undefined || times === undefined) return undefined;
      if (bytes * times > floodTotalBytesMax) {
        return reject(node, `must have at most ${floodTotalBytesMax} bytes in all`);
      }
      return { act, channel, bytes, times };
    }
    case "text_message": {
      const text = members.text && readString(members.text, bodyBytesMax);
      return text === undefined ? reject(node, "must have a text") : { act, text };
    }
    case "raw": {
      const data = readData(node, undefined, members.base64);
      return data && { act, data };
    }
    case "pings": {
      const times = integer("times", 1, repeatsMax);
      return times === undefined ? undefined : { act, times };
    }
    case "kubelet_lost":
    case "runtime_lost":
    case "container_killed":
    case "api_server_killed":
    case "cut":
    case "reset":
    case "stall":
    case "half_open":
    case "empty_message":
      return { act };
  }
}

/** Codes that RFC 6455 lets an endpoint send; others go out as `raw` bytes. */
function isCloseCode(code: number): boolean {
  return code >= 3_000 || (code <= 1_014 && code !== 1_004 && code !== 1_005 && code !== 1_006);
}

/** The bytes of one of two members; neither is none, both is an issue. */
function readData(
  node: Node,
  text: Node | undefined,
  base64: Node | undefined,
): Uint8Array | undefined {
  if (text !== undefined && base64 !== undefined) return reject(node, "has both text and base64");
  if (base64 !== undefined) return readBase64(base64, faultBounds.bodyBytesMax);
  if (text === undefined) return new Uint8Array();
  const read = readString(text, faultBounds.bodyBytesMax);
  return read === undefined ? undefined : Buffer.from(read);
}
