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
  /** Anything at all; null when absent. */
  json(name: string): Json;
  memberNames(): readonly string[];
  wellTyped(): boolean;
  /** The first member of another type, such as `details.causes`; null when there is none. */
  fault(): string | null;
}

/** A reader over one document, which has to be an object. */
export function makeWireObject(document: Json): WireObject {
  const members = asMembers(document);
  return new Reader(members ?? {}, "", { first: members === undefined ? "document" : null });
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
  readonly #prefix: string;
  readonly #faults: { first: string | null };

  constructor(members: MemberMap, prefix: string, faults: { first: string | null }) {
    this.#members = members;
    this.#prefix = prefix;
    this.#faults = faults;
  }

  text(name: string): string | null {
    const value = this.#member(name);
    return value === null || typeof value === "string" ? value : this.#note(name);
  }

  integer(name: string): number | null {
    const value = this.#member(name);
    if (value === null) return null;
    return typeof value === "number" && Number.isSafeInteger(value) ? value : this.#note(name);
  }

  boolean(name: string): boolean | null {
    const value = this.#member(name);
    return value === null || typeof value === "boolean" ? value : this.#note(name);
  }

  texts(name: string): readonly string[] {
    const texts: string[] = [];
    for (const item of this.#list(name)) {
      if (typeof item === "string") texts.push(item);
      else this.#note(name);
    }
    return texts;
  }

  object(name: string): WireObject {
    return this.optional(name) ?? this.#below(name, {});
  }

  optional(name: string): WireObject | null {
    const value = this.#member(name);
    if (value === null) return null;
    const members = asMembers(value);
    return members === undefined ? this.#note(name) : this.#below(name, members);
  }

  objects(name: string): readonly WireObject[] {
    const objects: WireObject[] = [];
    for (const item of this.#list(name)) {
      const members = asMembers(item);
      if (members === undefined) this.#note(name);
      else objects.push(this.#below(name, members));
    }
    return objects;
  }

  json(name: string): Json {
    return this.#member(name);
  }

  memberNames(): readonly string[] {
    return Object.keys(this.#members);
  }

  wellTyped(): boolean {
    return this.#faults.first === null;
  }

  fault(): string | null {
    return this.#faults.first;
  }

  #below(name: string, members: MemberMap): Reader {
    return new Reader(members, `${this.#prefix}${name}.`, this.#faults);
  }

  #member(name: string): Json {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? null) : null;
  }

  #list(name: string): readonly Json[] {
    const value = this.#member(name);
    if (value === null) return [];
    if (isList(value)) return value;
    this.#note(name);
    return [];
  }

  #note(name: string): null {
    const shown = /^[\w.-]+$/.test(name) ? name : "?";
    this.#faults.first ??= `${this.#prefix}${shown}`;
    return null;
  }
}
