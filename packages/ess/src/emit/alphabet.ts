/** The pattern of texts that hold only characters of `alphabet`. */
export function alphabetPattern(alphabet: string): string {
  const characters = Array.from(alphabet, (character) =>
    /[\\\]^-]/.test(character) ? `\\${character}` : character,
  );
  return `^[${characters.join("")}]*$`;
}
