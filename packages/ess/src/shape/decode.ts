import { type CstMap, type CstNode, describeNode } from "../cst/cst-node.js";
import { didYouMean } from "../diagnostics/did-you-mean.js";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span, Spanned } from "../diagnostics/span.js";

/** Reads one node into a shape; undefined means that the reason has been reported. */
export type Decoder<T> = (node: CstNode, sink: DiagnosticSink) => T | undefined;

/** A member of a closed record. */
export interface Member<T, Needed extends boolean> {
  readonly needed: Needed;
  readonly decode: Decoder<T>;
}

/** A value under a key of the author's choosing. */
export interface Named<T> {
  readonly name: Spanned<string>;
  readonly value: T;
}

type Spec = Readonly<Record<string, Member<unknown, boolean>>>;

/** The record that a specification reads. */
export type Decoded<S extends Spec> = {
  readonly [K in keyof S]: S[K] extends Member<infer T, infer Needed>
    ? Needed extends true
      ? T
      : T | undefined
    : never;
};

/** A member that has to be there. */
export function needed<T>(decode: Decoder<T>): Member<T, true> {
  return { needed: true, decode };
}

/** A member that may be left out. */
export function optional<T>(decode: Decoder<T>): Member<T, false> {
  return { needed: false, decode };
}

/** A closed record with its place. */
export function record<S extends Spec>(
  what: string,
  spec: S,
): Decoder<Decoded<S> & { readonly span: Span }> {
  return (node, sink) => {
    if (node.kind !== "map") return wrongKind(node, sink, `${what} is a mapping`);
    const result: Record<string, unknown> = { span: node.span };
    let complete = true;
    for (const { key, keySpan } of node.entries) {
      if (Object.hasOwn(spec, key)) continue;
      const near = didYouMean(key, Object.keys(spec));
      sink.report("ESS-SHAPE-001", keySpan, `${what} has no member '${key}'`, near);
    }
    for (const [name, member] of Object.entries(spec)) {
      const entry = node.entries.find(({ key }) => key === name);
      if (entry === undefined) {
        if (!member.needed) continue;
        sink.report("ESS-SHAPE-002", node.span, `${what} needs '${name}'`);
        complete = false;
        continue;
      }
      const value = member.decode(entry.value, sink);
      if (value === undefined) complete &&= !member.needed;
      else result[name] = value;
    }
    // The loop above gave every needed member its decoded value.
    return complete ? (result as Decoded<S> & { readonly span: Span }) : undefined;
  };
}

/** A mapping from names of the author's choosing. */
export function namedBy<T>(
  what: string,
  pattern: RegExp | undefined,
  decode: Decoder<T>,
): Decoder<readonly Named<T>[]> {
  return (node, sink) => {
    if (node.kind !== "map") return wrongKind(node, sink, `${what} is a mapping`);
    const members: Named<T>[] = [];
    for (const { key, keySpan, value } of node.entries) {
      if (pattern?.test(key) === false) {
        sink.report("ESS-SHAPE-004", keySpan, `'${key}' does not fit ${pattern.source}`);
        continue;
      }
      const decoded = decode(value, sink);
      if (decoded !== undefined)
        members.push({ name: { value: key, span: keySpan }, value: decoded });
    }
    return members;
  };
}

/** A list, without the items that could not be read. */
export function listOf<T>(what: string, decode: Decoder<T>): Decoder<readonly T[]> {
  return (node, sink) => {
    if (node.kind !== "list") return wrongKind(node, sink, `${what} is a list`);
    return node.items.map((item) => decode(item, sink)).filter((item) => item !== undefined);
  };
}

/** A text. */
export const text: Decoder<Spanned<string>> = (node, sink) => {
  if (node.kind === "scalar" && typeof node.value === "string") {
    return { value: node.value, span: node.span };
  }
  return wrongKind(node, sink, "a text is needed");
};

/** An integer of any size. */
export const integer: Decoder<Spanned<number | bigint>> = (node, sink) => {
  if (node.kind === "scalar") {
    const { value, span } = node;
    if (typeof value === "bigint" || Number.isInteger(value)) {
      return { value: typeof value === "bigint" ? value : Number(value), span };
    }
  }
  return wrongKind(node, sink, "an integer is needed");
};

/** True or false. */
export const boolean: Decoder<Spanned<boolean>> = (node, sink) => {
  if (node.kind === "scalar" && typeof node.value === "boolean") {
    return { value: node.value, span: node.span };
  }
  return wrongKind(node, sink, "true or false is needed");
};

/** One of a few words. */
export function word<W extends string>(what: string, words: readonly W[]): Decoder<Spanned<W>> {
  return (node, sink) => {
    const read = text(node, sink);
    if (read === undefined) return undefined;
    const found = words.find((candidate) => candidate === read.value);
    if (found !== undefined) return { value: found, span: read.span };
    const message = `'${read.value}' is not a ${what}: ${words.join(", ")}`;
    sink.report("ESS-SHAPE-005", read.span, message, didYouMean(read.value, words));
    return undefined;
  };
}

/** A text that fits `pattern`. */
export function nameLike(what: string, pattern: RegExp): Decoder<Spanned<string>> {
  return (node, sink) => {
    const read = text(node, sink);
    if (read === undefined || pattern.test(read.value)) return read;
    sink.report(
      "ESS-SHAPE-004",
      read.span,
      `${what} '${read.value}' does not fit ${pattern.source}`,
    );
    return undefined;
  };
}

/** The entry `key` of a mapping. */
export function entryOf(node: CstMap, key: string): CstNode | undefined {
  return node.entries.find((entry) => entry.key === key)?.value;
}

/** Reports that a node of another kind was needed. */
export function wrongKind(node: CstNode, sink: DiagnosticSink, message: string): undefined {
  sink.report("ESS-SHAPE-003", node.span, `${message}, not ${describeNode(node)}`);
  return undefined;
}
