import type { Span } from "../diagnostics/span.js";

/** Where each piece of a bound system was written; kept beside it, never in it. */
export interface Places {
  /** Remembers the place of `node`, and is `node`. */
  mark<T extends object>(node: T, span: Span): T;
  /** The place of `node`; asking for one that was never marked is a bug of the caller. */
  of(node: object): Span;
}

/** An empty table of places. */
export function makePlaces(): Places {
  const spans = new WeakMap<object, Span>();
  return {
    mark(node, span) {
      spans.set(node, span);
      return node;
    },
    of(node) {
      const span = spans.get(node);
      if (span === undefined) throw new Error("a node of the bound system has no place");
      return span;
    },
  };
}
