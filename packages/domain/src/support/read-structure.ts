import { jsonDepthMax } from "./json-value.js";
import { type Invalid, type Reader, type Reading, invalid, isFull, refuse } from "./reading.js";

/** An object whose own members are untrusted. */
export type Members = Readonly<Record<string, unknown>>;

/** The bounds of a list or a map, both inclusive. */
export interface ItemBounds {
  readonly min?: number;
  readonly max?: number;
}

/** The object, once it is plain and has no member but those `known`. */
export function readMembers(
  value: unknown,
  at: Reading,
  known: ReadonlySet<string>,
): Members | Invalid {
  const members = readPlainObject(value, at);
  if (members === invalid) return invalid;
  for (const name of Object.keys(members)) {
    if (known.has(name)) continue;
    if (isFull(at)) break;
    within(at, name, () => refuse(at, "unknown_member", "is not a member of this object"));
  }
  return members;
}

/** The member `name`, which has to be there. */
export function readRequired<T>(
  members: Members,
  name: string,
  at: Reading,
  read: Reader<T>,
): T | Invalid {
  const value = own(members, name);
  return within(at, name, () =>
    value === undefined ? refuse(at, "missing", "is required") : read(value, at),
  );
}

/** The member `name`, or undefined when the object has none. */
export function readOmittable<T>(
  members: Members,
  name: string,
  at: Reading,
  read: Reader<T>,
): T | undefined | Invalid {
  const value = own(members, name);
  return value === undefined ? undefined : within(at, name, () => read(value, at));
}

/** The member `name`, which has to be there and may be null. */
export function readNullable<T>(
  members: Members,
  name: string,
  at: Reading,
  read: Reader<T>,
): T | null | Invalid {
  const value = own(members, name);
  if (value === null) return null;
  return within(at, name, () =>
    value === undefined ? refuse(at, "missing", "is required and may be null") : read(value, at),
  );
}

/** The word in the member `name` that tells which record this is. */
export function readTag<T extends string>(
  value: unknown,
  at: Reading,
  name: string,
  known: readonly T[],
): T | Invalid {
  const members = readPlainObject(value, at);
  if (members === invalid) return invalid;
  const tag = own(members, name);
  const found = known.find((candidate) => candidate === tag);
  if (found !== undefined) return found;
  return within(at, name, () =>
    tag === undefined
      ? refuse(at, "missing", "is required")
      : refuse(at, "tag", `must be one of ${known.join(", ")}`),
  );
}

/** The items of an array, each read by `read`. */
export function readList<T>(
  value: unknown,
  at: Reading,
  read: Reader<T>,
  bounds: ItemBounds = {},
): readonly T[] | Invalid {
  if (!Array.isArray(value)) return refuse(at, "type", "must be an array");
  if (at.path.length >= jsonDepthMax) return refuse(at, "depth", depthMessage);
  const untrusted: readonly unknown[] = value;
  if (!fits(untrusted.length, at, bounds)) return invalid;
  const items: T[] = [];
  let failed = false;
  for (let index = 0; index < untrusted.length && !isFull(at); index += 1) {
    const item = within(at, index, () => read(untrusted[index], at));
    if (item === invalid) failed = true;
    else items.push(item);
  }
  return failed ? invalid : items;
}

/** The entries of an object used as a map; the result has no prototype, so only its own keys. */
export function readMap<T>(
  value: unknown,
  at: Reading,
  readKey: Reader<string>,
  read: Reader<T>,
  bounds: ItemBounds = {},
): Readonly<Record<string, T>> | Invalid {
  const members = readPlainObject(value, at);
  if (members === invalid) return invalid;
  const names = Object.keys(members);
  if (!fits(names.length, at, bounds)) return invalid;
  const entries: Record<string, T> = Object.create(null);
  let failed = false;
  for (const name of names) {
    if (isFull(at)) break;
    const entry = within(at, name, () => readEntry(name, members[name], at, readKey, read));
    if (entry === invalid) failed = true;
    else entries[name] = entry;
  }
  return failed ? invalid : entries;
}

/** Runs `body` one step deeper, at the member or item `step`. */
export function within<T>(at: Reading, step: string | number, body: () => T): T {
  at.path.push(step);
  const result = body();
  at.path.pop();
  return result;
}

const depthMessage = `is nested deeper than ${jsonDepthMax}`;

function readEntry<T>(
  name: string,
  value: unknown,
  at: Reading,
  readKey: Reader<string>,
  read: Reader<T>,
): T | Invalid {
  if (name === "__proto__") return refuse(at, "key", "is not a name that a map may hold");
  return readKey(name, at) === invalid ? invalid : read(value, at);
}

function readPlainObject(value: unknown, at: Reading): Members | Invalid {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(at, "type", "must be an object");
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return refuse(at, "type", "must be a plain object");
  }
  if (at.path.length >= jsonDepthMax) return refuse(at, "depth", depthMessage);
  return value as Members;
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function fits(count: number, at: Reading, { min, max }: ItemBounds): boolean {
  if (min !== undefined && count < min) {
    refuse(at, "items_min", `must have at least ${min} items`);
    return false;
  }
  if (max !== undefined && count > max) {
    refuse(at, "items_max", `must have at most ${max} items`);
    return false;
  }
  return true;
}
