const charactersMax = 64;

/** How many edits lead from one word to the other; two neighbours that changed places are one. */
function distance(a: string, b: string): number {
  let earlier: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (earlier[j - 2] ?? i) + 1);
      }
      current.push(least);
    }
    earlier = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known word nearest to `word`, when it is near enough to be meant; null otherwise. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const near = known
    .map((candidate) => ({ candidate, away: distance(word.slice(0, charactersMax), candidate) }))
    .filter(({ candidate, away }) => away <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.away - b.away);
  return near[0]?.candidate ?? null;
}

/** " Did you mean X?" or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
