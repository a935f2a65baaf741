/** The one of `candidates` that `word` was most likely meant to be, if any is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  // A third of the letters may be wrong: of a short word none, or everything would be near.
  const budget = Math.floor(word.length / 3);
  let best: string | undefined;
  let bestDistance = budget + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The help line for a near miss, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): { help?: string } {
  const near = nearest(word, candidates);
  return near === undefined ? {} : { help: `did you mean '${near}'?` };
}

// Damerau's distance with adjacent swaps; answers `limit` as soon as it cannot be beaten.
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? limit;
}
