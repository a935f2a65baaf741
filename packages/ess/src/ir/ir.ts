import type { DecisionIr } from "./decision-ir.js";
import type { FieldIr, TypeIr } from "./type-ir.js";
import type { JsonData } from "../shape/json-node.js";

/** A checked system, free of places, comments and layout: what every emitter reads. */
export interface SystemIr {
  readonly system: string;
  /** By base name. */
  readonly domains: readonly DomainIr[];
  /** The digest over every model file. */
  readonly sha256: string;
}

/** One domain; declarations stand in the order in which they were written. */
export interface DomainIr {
  readonly name: string;
  /** The stem of every file made from this domain. */
  readonly base: string;
  /** The model file, relative to the root. */
  readonly path: string;
  readonly sha256: string;
  readonly doc: string;
  readonly owner: OwnerIr | undefined;
  readonly uses: readonly string[];
  readonly types: readonly TypeIr[];
  readonly limits: readonly LimitIr[];
  readonly errors: readonly ErrorIr[];
  readonly lifecycles: readonly LifecycleIr[];
  readonly operations: readonly OperationIr[];
  readonly decisions: readonly DecisionIr[];
  readonly notes: readonly NoteIr[];
}

/** The prose page that owns a rule. */
export interface OwnerIr {
  readonly file: string;
  readonly heading: string | undefined;
}

/** A named number. */
export interface LimitIr {
  readonly name: string;
  readonly value: number | bigint;
  readonly unit: string;
  readonly doc: string;
}

/** One closed error code. */
export interface ErrorIr {
  readonly code: string;
  readonly effect: string;
  readonly retry: string;
  readonly exit: number;
  readonly http: number;
  readonly grpc: string;
  readonly doc: string;
  readonly hint: string;
}

/** States and the moves between them. */
export interface LifecycleIr {
  readonly name: string;
  readonly doc: string;
  readonly initial: string;
  readonly states: readonly {
    readonly name: string;
    readonly doc: string;
    readonly terminal: boolean;
  }[];
  readonly transitions: readonly {
    readonly event: string;
    readonly from: readonly string[];
    readonly to: string;
    readonly doc: string;
  }[];
}

/** What an adapter declares of one operation, with its types. */
export interface OperationIr {
  readonly id: string;
  /** The struct of the model that every declaration is one of. */
  readonly shape: TypeName;
  readonly input: TypeName;
  readonly output: TypeName;
  /** Every member of the declaration but the two schemas. */
  readonly declaration: Readonly<Record<string, JsonData>>;
}

/** A type of some domain. */
export interface TypeName {
  readonly domain: string;
  readonly name: string;
}

/** A caveat that reaches the reader. */
export interface NoteIr {
  readonly kind: string;
  readonly text: string;
  readonly owner: OwnerIr | undefined;
}

/** The domain of that name; asking for another is a bug of the caller. */
export function domainOf(ir: SystemIr, name: string): DomainIr {
  const found = ir.domains.find((domain) => domain.name === name);
  if (found === undefined) throw new Error(`no domain ${name} in the IR`);
  return found;
}

/** The type of that name; asking for another is a bug of the caller. */
export function typeOf(ir: SystemIr, { domain, name }: TypeName): TypeIr {
  const found = domainOf(ir, domain).types.find((type) => type.name === name);
  if (found === undefined) throw new Error(`no type ${domain}.${name} in the IR`);
  return found;
}

/** The fields of a struct; asking for another kind of type is a bug of the caller. */
export function structFields(type: TypeIr): readonly FieldIr[] {
  if (type.kind !== "struct") throw new Error(`${type.name} is not a struct`);
  return type.fields;
}
