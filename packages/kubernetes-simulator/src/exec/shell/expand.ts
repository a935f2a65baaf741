import type { Word, WordPart } from "./syntax.js";

/** What a shell's parameters stand for. */
export interface Parameters {
  /** The value of a name, a digit or one of `? $ ! #`; nothing when it is unset. */
  readonly valueOf: (name: string) => string | undefined;
  /** `$1` and those after it. */
  readonly positional: readonly string[];
}

/** The fields that `words` stand for: unquoted parameters are split at blanks, or vanish. */
export function expandWords(words: readonly Word[], parameters: Parameters): readonly string[] {
  return words.flatMap((word) => expandWord(word, parameters));
}

/** The one text that `word` stands for where no splitting is done: a value, a file's name. */
export function expandText(word: Word, parameters: Parameters): string {
  return word.map((part) => textOf(part, parameters)).join("");
}

function expandWord(word: Word, parameters: Parameters): readonly string[] {
  const fields: string[] = [];
  let open: string | undefined;
  const add = (text: string): void => {
    open = (open ?? "") + text;
  };
  const close = (): void => {
    if (open !== undefined) fields.push(open);
    open = undefined;
  };
  for (const [index, part] of word.entries()) {
    if (part.part === "text" && !part.quoted && index === 0) add(withHome(part.text, parameters));
    else if (part.part === "text") add(part.text);
    else if (part.name === "@" && part.quoted) addEach(parameters.positional, add, close);
    else if (part.quoted) add(textOf(part, parameters));
    else addSplit(textOf(part, parameters), add, close);
  }
  close();
  // `"$@"` without anything to stand for is no field, although it is quoted.
  return isAllArguments(word) && parameters.positional.length === 0 ? [] : fields;
}

function isAllArguments(word: Word): boolean {
  return word.every((part) => (part.part === "text" ? part.text === "" : part.name === "@"));
}

function addEach(values: readonly string[], add: (text: string) => void, close: () => void): void {
  for (const [index, value] of values.entries()) {
    if (index > 0) close();
    add(value);
  }
}

function addSplit(value: string, add: (text: string) => void, close: () => void): void {
  const pieces = value.split(/[ \t\n]+/u);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) close();
    if (piece !== "") add(piece);
  }
}

function textOf(part: WordPart, parameters: Parameters): string {
  if (part.part === "text") return part.text;
  if (part.name === "@" || part.name === "*") return parameters.positional.join(" ");
  const value = parameters.valueOf(part.name);
  if (part.fallback !== undefined && (value === undefined || value === "")) return part.fallback;
  return value ?? "";
}

function withHome(text: string, parameters: Parameters): string {
  return /^~(?:\/|$)/u.test(text) ? `${parameters.valueOf("HOME") ?? "~"}${text.slice(1)}` : text;
}
