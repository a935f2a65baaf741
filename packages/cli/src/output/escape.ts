// What a terminal would act on instead of showing: controls, bidirectional marks and overrides,
// zero-width and other invisible format characters, separators that break lines, and code points
// that stand for nothing.
const invisible = new RegExp(
  [
    String.raw`\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cn}|\p{Co}|\p{Cs}`,
    // Fillers, joiners and variation selectors: letters and marks that show nothing.
    String.raw`[\u115F\u1160\u17B4\u17B5\u3164\uFFA0]|\u034F|[\u180B-\u180F]|[\uFE00-\uFE0F]`,
    String.raw`[\u{E0100}-\u{E01EF}]`,
  ].join("|"),
  "gu",
);

/** `text` with everything that a terminal would not show as itself written as `\u{…}`. */
export function escapeLine(text: string): string {
  return text.replace(invisible, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same, for text of several lines: newline and tab stay, a carriage return does not. */
export function escapeText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(escapeLine).join("\t"))
    .join("\n");
}

function jsonEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** JSON text with the same characters as `\uXXXX`: they stand in its strings alone. */
export function escapeJson(text: string): string {
  return text.replace(invisible, jsonEscape);
}
