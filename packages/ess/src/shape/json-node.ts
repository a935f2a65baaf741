import type { CstNode } from "../cst/cst-node.js";

/** A JSON value of the model itself, such as an example. */
export type JsonData =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonData[]
  | { readonly [member: string]: JsonData };

/** The plain value of a node. */
export function toJson(node: CstNode): JsonData {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toJson);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value)]));
}

/** True for an object of JSON: neither an array nor null. */
export function isJsonRecord(value: JsonData): value is Readonly<Record<string, JsonData>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
