// What a terminal shows as itself, and shows alike everywhere. Everything else can move the cursor,
// change direction, vanish, or look like something that it is not.
const unprintable = /[^\u0020-\u007e]/gu;

/** A text that shows itself, and whether any of it had to be written out. */
export interface PrintableText {
  /** Only U+0020 to U+007E. */
  readonly text: string;
  readonly escaped: boolean;
}

/**
 * The text in double quotes, with every code point outside U+0020–7E as `\u{…}`, and `"` and `\`
 * after a `\`: different texts always look different.
 */
export function quoteText(value: string): PrintableText {
  const slashed = value.replaceAll(/["\\]/g, (character) => `\\${character}`);
  const text = `"${slashed.replaceAll(unprintable, writeOut)}"`;
  return { text, escaped: text.length !== slashed.length + 2 };
}

function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Words of our own, which need no quotes. */
export function ownText(text: string): PrintableText {
  return { text, escaped: false };
}
