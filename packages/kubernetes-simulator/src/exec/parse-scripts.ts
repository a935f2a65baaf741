import {
  parseNode,
  readBase64,
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
} from "../faults/untrusted.js";
import { execBounds } from "./exec-bounds.js";
import type {
  ExecScript,
  ScriptedCommand,
  ScriptEnd,
  ScriptFrame,
  ScriptTarget,
} from "./script.js";

const {
  scriptsMax,
  scriptCommandsMax,
  scriptFramesMax,
  scriptFrameBytesMax,
  scriptNameBytesMax,
  scriptDelayMsMax,
  scriptArgvMax,
} = execBounds;

/**
 * The scripts of a seed's `exec` list, or everything that is wrong with it. `value` is what a YAML
 * or JSON parser made of the file; nothing of it is trusted.
 */
export function parseExecScripts(value: unknown): Parsed<readonly ExecScript[]> {
  return parseNode(value, readExecScripts);
}

/** The same for a list that stands inside a larger document: issues go to that document's. */
export function readExecScripts(node: Node): readonly ExecScript[] {
  return readList(node, scriptsMax, readScript);
}

function readScript(node: Node): ExecScript | undefined {
  const keys = [
    "namespace",
    "pod",
    "deployment",
    "container",
    "labels",
    "files",
    "environment",
    "commands",
  ] as const;
  const members = readObject(node, keys);
  if (members === undefined) return undefined;
  return {
    target: readTarget(members),
    files: members.files === undefined ? new Map() : readFiles(members.files),
    environment:
      members.environment === undefined ? new Map() : readTexts(members.environment, isName),
    commands:
      members.commands === undefined
        ? []
        : readList(members.commands, scriptCommandsMax, readCommand),
  };
}

type TargetKey = "namespace" | "pod" | "deployment" | "container" | "labels";

function readTarget(members: Readonly<Record<TargetKey, Node | undefined>>): ScriptTarget {
  const text = (key: TargetKey): Record<string, string> => {
    const member = members[key];
    const value = member && readString(member, scriptNameBytesMax);
    return value === undefined ? {} : { [key]: value };
  };
  const labels = members.labels && readTexts(members.labels, () => true);
  return {
    ...text("namespace"),
    ...text("pod"),
    ...text("deployment"),
    ...text("container"),
    ...(labels === undefined ? {} : { labels: Object.fromEntries(labels) }),
  };
}

/** Files by absolute path: a string is their text, `{"base64": …}` their bytes. */
function readFiles(node: Node): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [path, member] of readEntries(node, execBounds.filesMax)) {
    const isAbsolute = /^(?:\/[^/\0]+)+$/u.test(path) && !/\/\.{1,2}(?:\/|$)/u.test(path);
    if (!isAbsolute) reject(member, "is no absolute path of a file");
    const bytes = typeof member.value === "string" ? readText(member) : readBytes(member);
    if (bytes !== undefined) files.set(path, bytes);
  }
  const size = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  if (size > execBounds.filesBytesMax) {
    reject(node, `must have at most ${execBounds.filesBytesMax} bytes`);
  }
  return files;
}

function readText(node: Node): Uint8Array | undefined {
  const text = readString(node, execBounds.fileBytesMax);
  return text === undefined ? undefined : Buffer.from(text);
}

function readBytes(node: Node): Uint8Array | undefined {
  const members = readObject(node, ["base64"]);
  const base64 = members && required(node, members.base64, "base64");
  return base64 && readBase64(base64, execBounds.fileBytesMax);
}

function readTexts(node: Node, isKey: (key: string) => boolean): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, member] of readEntries(node, execBounds.filesMax)) {
    const value = readString(member, scriptNameBytesMax);
    if (!isKey(key)) reject(member, "is no name");
    if (value !== undefined) texts.set(key, value);
  }
  return texts;
}

function isName(key: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(key);
}

function readCommand(node: Node): ScriptedCommand | undefined {
  const members = readObject(node, ["argv", "frames", "end"]);
  const argvNode = members && required(node, members.argv, "argv");
  if (members === undefined || argvNode === undefined) return undefined;
  const argv = readList(argvNode, scriptArgvMax, (item) => readString(item, scriptFrameBytesMax));
  const frames =
    members.frames === undefined ? [] : readList(members.frames, scriptFramesMax, readFrame);
  const ended = members.end === undefined ? OK : readEnd(members.end);
  return ended && { argv, frames, ...ended };
}

/** `{"stream" or "channel", "text" or "base64", "delayMs"?}` */
function readFrame(node: Node): ScriptFrame | undefined {
  const members = readObject(node, ["stream", "channel", "text", "base64", "delayMs"]);
  if (members === undefined) return undefined;
  const { text, base64, stream, channel } = members;
  if ((text === undefined) === (base64 === undefined)) {
    return reject(node, "must have one of text, base64");
  }
  if (stream !== undefined && channel !== undefined) {
    return reject(node, "has both stream and channel");
  }
  const name = stream && readChoice(stream, ["stdout", "stderr"] as const);
  const number = channel && readInteger(channel, 1, 2);
  const bytes = base64 ? readBase64(base64, scriptFrameBytesMax) : text && readFrameText(text);
  const delayMs = members.delayMs ? readInteger(members.delayMs, 0, scriptDelayMsMax) : 0;
  if (bytes === undefined || delayMs === undefined) return undefined;
  return { stream: name ?? (number === 2 ? "stderr" : "stdout"), bytes, delayMs };
}

function readFrameText(node: Node): Uint8Array | undefined {
  const text = readString(node, scriptFrameBytesMax);
  return text === undefined ? undefined : Buffer.from(text);
}

interface Ended {
  readonly end: ScriptEnd;
  readonly endDelayMs: number;
}

const OK: Ended = { end: { end: "exit", code: 0 }, endDelayMs: 0 };

/** `{"exit": n}`, `{"lost": true}` or `{"status": …}`, each with a `delayMs` if wanted. */
function readEnd(node: Node): Ended | undefined {
  const members = readObject(node, ["exit", "lost", "status", "delayMs"]);
  if (members === undefined) return undefined;
  const { exit, lost, status } = members;
  if ([exit, lost, status].filter((member) => member !== undefined).length !== 1) {
    return reject(node, "must have one of exit, lost, status");
  }
  const end = exit ? readExit(exit) : lost ? readLost(lost) : status && readStatus(status);
  const endDelayMs = members.delayMs ? readInteger(members.delayMs, 0, scriptDelayMsMax) : 0;
  return end === undefined || endDelayMs === undefined ? undefined : { end, endDelayMs };
}

function readExit(node: Node): ScriptEnd | undefined {
  const code = readInteger(node, 0, 255);
  return code === undefined ? undefined : { end: "exit", code };
}

function readLost(node: Node): ScriptEnd | undefined {
  return node.value === true ? { end: "lost" } : reject(node, "must be true");
}

/** What the status channel says: a string as it is, anything else as JSON. */
function readStatus(node: Node): ScriptEnd | undefined {
  const text = typeof node.value === "string" ? node.value : JSON.stringify(node.value);
  if (Buffer.byteLength(text) <= scriptFrameBytesMax) return { end: "status", text };
  return reject(node, `must have at most ${scriptFrameBytesMax} bytes`);
}
