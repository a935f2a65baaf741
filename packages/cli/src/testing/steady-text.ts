/** Words that stand for what differs from run to run, in the order of their first appearance. */
export interface SteadyText {
  /** The text with every id, digest, time, port and path of a run replaced by a steady word. */
  of(text: string): string;
}

const volatile: readonly (readonly [word: string, pattern: RegExp])[] = [
  ["TIME", /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g],
  ["MS", /\b1[6-9]\d{11}\b/g],
  ["UUID", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
  ["DIGEST", /\b[0-9a-f]{64}\b/g],
  ["KEY", /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g],
  ["POD", /\bapi-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g],
];

/** Numbers that count what happens inside: how many there are is no promise. */
const counted =
  /((?:resource_version|source_revision|version|sequence|anchor|record|audit records:)"?:?"? *)\d+|\d+(?= records)/g;

/** Replaces what this machine and this run brought; the same thing is the same word throughout. */
export function makeSteadyText(
  fixed: readonly (readonly [word: string, value: string])[],
): SteadyText {
  const words = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (word: string, value: string): string => {
    const known = words.get(value);
    if (known !== undefined) return known;
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    const name = `<${word}-${count}>`;
    words.set(value, name);
    return name;
  };
  return {
    of(text) {
      let steady = text;
      for (const [word, value] of fixed) steady = steady.replaceAll(value, `<${word}>`);
      for (const [word, pattern] of volatile) {
        // Times tell nothing of which is which.
        const plain = word === "TIME" || word === "MS";
        steady = steady.replaceAll(pattern, (value) => (plain ? `<${word}>` : nameOf(word, value)));
      }
      // Columns are as wide as what stands in them, which differs from machine to machine.
      return steady
        .replaceAll(/restarted at \d+ → \d+/g, "restarted at <N> → <N>")
        .replaceAll(counted, (_, before: string | undefined) => `${before ?? ""}<N>`)
        .replaceAll(/(?<=\S) {2,}/g, "  ");
    },
  };
}
