/**
 * True when `name` has the form of `pattern`, where `*` stands for any run of characters, none
 * included, and every other character for itself.
 *
 * Linear but for the middle pieces, each searched once from the left: no input makes it slow.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
