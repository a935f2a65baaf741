/** A word as a shell takes it: bare where that is safe, else in single quotes. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words as one line that can be pasted into a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
