/** Numbers that a seed decides (mulberry32): the same run again for the same seed. */
export interface Seeded {
  /** From zero to below `bound`. */
  below(bound: number): number;
}

/** A source of numbers for this seed. */
export function makeSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
    },
  };
}
