import { type PatternNode, parsePattern } from "./pattern-tree.js";

/**
 * Texts that `source` was made for: a shortest one, one that takes each of its choices, and, for
 * each of `lengths`, one of that length where the pattern can grow so far. Whoever asks checks
 * them, since a pattern may hold more than this understands.
 */
export function samplePattern(source: string, lengths: readonly number[]): readonly string[] {
  const tree = parsePattern(source);
  if (tree === undefined) return [];
  const shortest = grow(tree, 0);
  const choices = Array.from({ length: choicesOf(tree) }, (_, index) => grow(tree, 0, index));
  const grown = lengths
    .filter((length) => length > shortest.length)
    .map((length) => grow(tree, length - shortest.length));
  return [...new Set([shortest, ...choices, ...grown])];
}

function grow(tree: PatternNode, extra: number, option = 0): string {
  const budget = { left: extra };
  const text = (node: PatternNode): string => {
    switch (node.kind) {
      case "characters":
        return node.sample;
      case "sequence":
        return node.parts.map(text).join("");
      case "choice":
        return text(node.options[Math.min(option, node.options.length - 1)] ?? emptyNode);
      case "repeat":
        return repeated(node);
    }
  };
  const repeated = ({ of, min, max }: PatternNode & { readonly kind: "repeat" }): string => {
    const parts = Array.from({ length: min }, () => text(of));
    const cost = Math.max(1, leastLength(of));
    while (parts.length < max && budget.left >= cost) {
      budget.left -= cost;
      parts.push(text(of));
    }
    return parts.join("");
  };
  return text(tree);
}

function leastLength(node: PatternNode): number {
  switch (node.kind) {
    case "characters":
      return node.sample.length;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + leastLength(part), 0);
    case "choice":
      return leastLength(node.options[0] ?? emptyNode);
    case "repeat":
      return node.min * leastLength(node.of);
  }
}

function choicesOf(node: PatternNode): number {
  switch (node.kind) {
    case "characters":
      return 1;
    case "sequence":
      return Math.max(1, ...node.parts.map(choicesOf));
    case "choice":
      return Math.max(node.options.length, ...node.options.map(choicesOf));
    case "repeat":
      return choicesOf(node.of);
  }
}

const emptyNode: PatternNode = { kind: "sequence", parts: [] };
