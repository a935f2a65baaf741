import fc from "fast-check";

/** One parser of foreign bytes, and what must hold whatever it is given. */
export interface FuzzTarget {
  readonly name: string;
  /** Its part of all cases, relative to the others. */
  readonly weight: number;
  /** Runs so many cases; throws with seed and counterexample at the first that breaks a promise. */
  run(cases: number, seed: number): void;
}

/** A target from values and the promise that each keeps. */
export function makeTarget<T>(
  name: string,
  weight: number,
  values: fc.Arbitrary<T>,
  keeps: (value: T) => void,
): FuzzTarget {
  return {
    name,
    weight,
    run(cases, seed) {
      fc.assert(fc.property(values, keeps), { numRuns: cases, seed });
    },
  };
}

/** Bytes like `valid`, with up to eight of them changed, dropped, doubled or cut off. */
export function damaged(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    kind: fc.constantFrom("set", "drop", "double", "cut" as const),
    at: fc.nat(),
    byte: fc.integer({ min: 0, max: 255 }),
  });
  return fc.tuple(valid, fc.array(edit, { maxLength: 8 })).map(([bytes, edits]) => {
    let now = [...bytes];
    for (const { kind, at, byte } of edits) {
      const index = now.length === 0 ? 0 : at % now.length;
      if (kind === "set") now[index] = byte;
      else if (kind === "drop") now.splice(index, 1);
      else if (kind === "double") now.splice(index, 0, now[index] ?? byte);
      else if (at % 16 === 0) now = now.slice(0, index);
    }
    return Uint8Array.from(now);
  });
}

/** How many cases each target gets of `total`. */
export function shareCases(
  targets: readonly FuzzTarget[],
  total: number,
): readonly (readonly [FuzzTarget, number])[] {
  const all = targets.reduce((sum, target) => sum + target.weight, 0);
  return targets.map((target) => [target, Math.ceil((total * target.weight) / all)] as const);
}
