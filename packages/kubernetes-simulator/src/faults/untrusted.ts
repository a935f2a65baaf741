/** One thing that is wrong with a document, and where: `rules[0].match.nth`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A document that was understood, or everything that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A value that nobody vouches for, where it stands, and what was found wrong so far. */
export interface Node {
  readonly value: unknown;
  readonly path: string;
  readonly issues: Issue[];
}

/** More issues than that are not listed. */
const ISSUES_MAX = 32;

/** Reads a whole document by `read`, which adds to the node's issues what it does not accept. */
export function parseNode<T>(value: unknown, read: (node: Node) => T | undefined): Parsed<T> {
  const issues: Issue[] = [];
  const parsed = read({ value, path: "", issues });
  if (parsed !== undefined && issues.length === 0) return { ok: true, value: parsed };
  return { ok: false, issues };
}

/** Notes what is wrong at a node; the reader then has no value. */
export function reject(node: Node, message: string): undefined {
  if (node.issues.length < ISSUES_MAX) node.issues.push({ path: node.path || "(top)", message });
}

/** The members of an object; any other key than `known` is an issue, one that is absent is not. */
export function readObject<Key extends string>(
  node: Node,
  known: readonly Key[],
): Readonly<Record<Key, Node | undefined>> | undefined {
  const { value } = node;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return reject(node, "must be an object");
  }
  const members = new Map<string, unknown>(Object.entries(value));
  for (const key of members.keys()) {
    if (!known.some((each) => each === key)) reject(memberOf(node, key, undefined), "is not known");
  }
  const entries = known.map((key) => {
    const isAbsent = members.get(key) === undefined;
    return [key, isAbsent ? undefined : memberOf(node, key, members.get(key))] as const;
  });
  return Object.fromEntries(entries) as Record<Key, Node | undefined>;
}

/** The entries of an object whose keys are the document's own. */
export function readEntries(node: Node, entriesMax: number): readonly (readonly [string, Node])[] {
  const { value } = node;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reject(node, "must be an object");
    return [];
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length > entriesMax) reject(node, `must have at most ${entriesMax} members`);
  return entries.slice(0, entriesMax).map(([key, member]) => [key, memberOf(node, key, member)]);
}

/** The items of an array, each read by `read`; those that it rejects are left out. */
export function readList<T>(
  node: Node,
  itemsMax: number,
  read: (item: Node) => T | undefined,
): readonly T[] {
  const { value } = node;
  if (!Array.isArray(value)) {
    reject(node, "must be a list");
    return [];
  }
  const values: readonly unknown[] = value;
  if (values.length > itemsMax) reject(node, `must have at most ${itemsMax} items`);
  return values.slice(0, itemsMax).flatMap((item, index) => {
    const found = read({ ...node, value: item, path: `${node.path}[${index}]` });
    return found === undefined ? [] : [found];
  });
}

/** A string of at most `bytesMax` bytes. */
export function readString(node: Node, bytesMax: number): string | undefined {
  if (typeof node.value !== "string") return reject(node, "must be a string");
  if (Buffer.byteLength(node.value) > bytesMax) {
    return reject(node, `must have at most ${bytesMax} bytes`);
  }
  return node.value;
}

/** A whole number from `min` to `max`. */
export function readInteger(node: Node, min: number, max: number): number | undefined {
  const { value } = node;
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    return reject(node, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** One of `choices`. */
export function readChoice<Choice extends string>(
  node: Node,
  choices: readonly Choice[],
): Choice | undefined {
  const found = choices.find((choice) => choice === node.value);
  return found ?? reject(node, `must be one of ${choices.join(", ")}`);
}

/** Bytes from base64, at most `bytesMax` of them. */
export function readBase64(node: Node, bytesMax: number): Uint8Array | undefined {
  const text = readString(node, Math.ceil(bytesMax / 3) * 4);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : reject(node, "must be padded base64");
}

/** The member of an object that has to be there. */
export function required(node: Node, member: Node | undefined, key: string): Node | undefined {
  return member ?? reject({ ...node, path: join(node.path, key) }, "is missing");
}

function memberOf(node: Node, key: string, value: unknown): Node {
  return { ...node, value, path: join(node.path, key) };
}

function join(path: string, key: string): string {
  const name = /^[A-Za-z_][\w-]*$/u.test(key) ? key : JSON.stringify(key.slice(0, 64));
  return path === "" ? name : `${path}.${name}`;
}
