import type { Json } from "@connectors/sdk";

/**
 * An object of the Kubernetes API, read member by member.
 *
 * Go leaves an empty member out or writes it as null, so both read as absent. A member of another
 * type than asked for reads as absent too, and is remembered: `wellTyped` is then false for the
 * whole document, and nothing that was read may be used.
 */
export interface WireObject {
  text(name: string): string | null;
  integer(name: string): number | null;
  boolean(name: string): boolean | null;
  /** Its text values; empty when absent. */
  texts(name: string): readonly string[];
  /** Empty when absent. */
  object(name: string): WireObject;
  /** Null when absent: for members whose absence means something. */
  optional(name: string): WireObject | null;
  objects(name: string): readonly WireObject[];
  wellTyped(): boolean;
}

/** A reader over one document, which has to be an object. */
export function makeWireObject(document: Json): WireObject {
  const faults = { seen: false };
  const root = new Reader(asMembers(document) ?? {}, faults);
  if (asMembers(document) === undefined) faults.seen = true;
  return root;
}

type MemberMap = { readonly [member: string]: Json };

function asMembers(value: Json): MemberMap | undefined {
  if (typeof value !== "object" || value === null || isList(value)) return undefined;
  return value;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

class Reader implements WireObject {
  readonly #members: MemberMap;
  readonly #faults: { seen: boolean };

  constructor(members: MemberMap, faults: { seen: boolean }) {
    this.#members = members;
    this.#faults = faults;
  }

  text(name: string): string | null {
    const value = this.#member(name);
    return value === null || typeof value === "string" ? value : this.#fault();
  }

  integer(name: string): number | null {
    const value = this.#member(name);
    if (value === null) return null;
    return typeof value === "number" && Number.isSafeInteger(value) ? value : this.#fault();
  }

  boolean(name: string): boolean | null {
    const value = this.#member(name);
    return value === null || typeof value === "boolean" ? value : this.#fault();
  }

  texts(name: string): readonly string[] {
    const texts: string[] = [];
    for (const item of this.#list(name)) {
      if (typeof item === "string") texts.push(item);
      else this.#fault();
    }
    return texts;
  }

  object(name: string): WireObject {
    return this.optional(name) ?? new Reader({}, this.#faults);
  }

  optional(name: string): WireObject | null {
    const value = this.#member(name);
    if (value === null) return null;
    const members = asMembers(value);
    return members === undefined ? this.#fault() : new Reader(members, this.#faults);
  }

  objects(name: string): readonly WireObject[] {
    const objects: WireObject[] = [];
    for (const item of this.#list(name)) {
      const members = asMembers(item);
      if (members === undefined) this.#fault();
      else objects.push(new Reader(members, this.#faults));
    }
    return objects;
  }

  wellTyped(): boolean {
    return !this.#faults.seen;
  }

  #member(name: string): Json {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? null) : null;
  }

  #list(name: string): readonly Json[] {
    const value = this.#member(name);
    if (value === null) return [];
    if (isList(value)) return value;
    this.#fault();
    return [];
  }

  #fault(): null {
    this.#faults.seen = true;
    return null;
  }
}
