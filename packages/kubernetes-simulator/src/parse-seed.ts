import type { AccessRule } from "./access/rule.js";
import type { UserOptions } from "./access/users.js";
import { findKindOf } from "./api/resource-kind.js";
import { simulatorBounds } from "./bounds.js";
import { readExecScripts } from "./exec/parse-scripts.js";
import {
  parseNode,
  readList,
  readObject,
  readString,
  reject,
  required,
  type Node,
  type Parsed,
} from "./faults/untrusted.js";
import {
  isJsonObject,
  isWithinDepth,
  stringAt,
  type JsonObject,
  type JsonValue,
} from "./json-value.js";
import type { SimulatorSeed } from "./simulator.js";

const TEXT_BYTES_MAX = 4_096;
const RULES_MAX = 64;
const LIST_MAX = 256;

/**
 * The seed that a file holds, or everything that is wrong with its form: `manifests` (objects as
 * kubectl applies them), `users` with their `rules`, and `exec`, the scripts of containers. `value`
 * is what a YAML or JSON parser made of the file. Whether a cluster accepts the manifests is found
 * when it is opened.
 */
export function parseSeed(value: unknown): Parsed<SimulatorSeed> {
  return parseNode(value, readSeed);
}

function readSeed(node: Node): SimulatorSeed | undefined {
  const members = readObject(node, ["manifests", "users", "exec"]);
  if (members === undefined) return undefined;
  const { manifests, users, exec } = members;
  return {
    ...(manifests === undefined
      ? {}
      : { objects: readList(manifests, simulatorBounds.objectsMax, readManifest) }),
    ...(users === undefined ? {} : { users: readList(users, simulatorBounds.usersMax, readUser) }),
    ...(exec === undefined ? {} : { exec: readExecScripts(exec) }),
  };
}

function readManifest(node: Node): JsonObject | undefined {
  // A parser's output of a data format is JSON; what it could not be is refused by the schema.
  const value = node.value as JsonValue | undefined;
  if (!isJsonObject(value)) return reject(node, "must be an object");
  if (!isWithinDepth(value, simulatorBounds.bodyDepthMax))
    return reject(node, "is nested too deep");
  const kind = findKindOf(stringAt(value, "apiVersion"), stringAt(value, "kind"));
  if (kind === undefined) return reject(node, "must be of a kind that the simulator serves");
  if (stringAt(value, "metadata", "name") === "") return reject(node, "must have a metadata.name");
  return value;
}

function readUser(node: Node): UserOptions | undefined {
  const members = readObject(node, ["name", "groups", "token", "rules"]);
  const nameNode = members && required(node, members.name, "name");
  if (members === undefined || nameNode === undefined) return undefined;
  const name = readString(nameNode, TEXT_BYTES_MAX);
  const { groups, token, rules } = members;
  const tokenText = token === undefined ? undefined : readString(token, TEXT_BYTES_MAX);
  if (name === undefined || name === "") return reject(nameNode, "must not be empty");
  if (tokenText !== undefined && !/^[\u0021-\u007e]+$/u.test(tokenText)) {
    return reject(node, "must have a token without spaces");
  }
  return {
    name,
    ...(groups === undefined ? {} : { groups: readTexts(groups) }),
    ...(tokenText === undefined ? {} : { token: tokenText }),
    ...(rules === undefined ? {} : { rules: readList(rules, RULES_MAX, readRule) }),
  };
}

const RULE_LISTS = ["groups", "resources", "namespaces", "names", "paths"] as const;

function readRule(node: Node): AccessRule | undefined {
  const members = readObject(node, ["verbs", ...RULE_LISTS]);
  const verbs = members && required(node, members.verbs, "verbs");
  if (members === undefined || verbs === undefined) return undefined;
  const lists = RULE_LISTS.flatMap((key) => {
    const list = members[key];
    return list === undefined ? [] : [[key, readTexts(list)] as const];
  });
  return { verbs: readTexts(verbs), ...Object.fromEntries(lists) };
}

function readTexts(node: Node): readonly string[] {
  return readList(node, LIST_MAX, (item) => readString(item, TEXT_BYTES_MAX));
}
