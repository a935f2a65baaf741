/** A source of numbers in [0, 1) that a seed fixes. */
export type Draw = () => number;

/** A source of numbers; the same seed draws the same ones (mulberry32). */
export function makeDraw(seed: number): Draw {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of `items`. */
export function pick<T>(draw: Draw, items: readonly T[]): T {
  const item = items[Math.floor(draw() * items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** A copy of a JSON value with one thing changed somewhere inside it. */
export function mutate(draw: Draw, value: unknown): unknown {
  if (typeof value !== "object" || value === null || draw() < 0.15) return replace(draw, value);
  if (Array.isArray(value)) return mutateList(draw, value);
  const names = Object.keys(value);
  const copy: Record<string, unknown> = { ...value };
  const choice = draw();
  if (choice < 0.1 || names.length === 0) copy[pick(draw, strangers)] = pick(draw, scalars);
  else if (choice < 0.25) delete copy[pick(draw, names)];
  else {
    const name = pick(draw, names);
    copy[name] = mutate(draw, copy[name]);
  }
  return copy;
}

function mutateList(draw: Draw, items: readonly unknown[]): unknown[] {
  const copy = [...items];
  const at = Math.floor(draw() * copy.length);
  const choice = draw();
  if (copy.length === 0 || choice < 0.2) copy.push(pick(draw, scalars));
  else if (choice < 0.4) copy.push(copy[at]);
  else if (choice < 0.55) copy.splice(at, 1);
  else if (choice < 0.65) copy.reverse();
  else copy[at] = mutate(draw, copy[at]);
  return copy;
}

const strangers = ["extra", "kind", "format", "code", "x", "constructor", "toString", ""] as const;
const scalars = [null, true, false, 0, 1, -1, 1.5, 2 ** 53, "", "a", "none", [], {}, [[]]] as const;

function replace(draw: Draw, value: unknown): unknown {
  if (typeof value === "number" && draw() < 0.6)
    return value + pick(draw, [-1, 1, 0.5, -value, 1e9]);
  if (typeof value === "string" && draw() < 0.7) return mutateText(draw, value);
  return pick(draw, scalars);
}

// By characters, since half of a pair of surrogates is no text that JSON Schema speaks of.
function mutateText(draw: Draw, text: string): string {
  const characters = Array.from(text);
  const at = Math.floor(draw() * (characters.length + 1));
  const piece = pick(draw, ["a", "0", "-", ".", "A", "é", "\n", " ", "/"]);
  const choice = draw();
  if (choice < 0.4) characters.splice(at, 0, piece);
  else if (choice < 0.7) characters.splice(at, 1);
  else if (choice < 0.9) characters.splice(at, 1, piece);
  else characters.push(...characters);
  return characters.join("");
}
