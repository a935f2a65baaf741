/**
 * Whether `text` is what `pattern` describes, `*` standing for any run of characters. Takes time
 * in proportion to the product of both lengths at worst: no backtracking beyond the last star.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      resume = position;
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      position = resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
