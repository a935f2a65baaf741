import type { Fd, Word, WordPart } from "./syntax.js";

/** A piece of a script. A problem is the last one. */
export type Token =
  | { readonly token: "word"; readonly word: Word }
  | { readonly token: "operator"; readonly text: string }
  | { readonly token: "redirect"; readonly fd: Fd; readonly operator: "<" | ">" | ">>" | ">&" }
  | { readonly token: "newline" }
  | { readonly token: "problem"; readonly message: string }
  | { readonly token: "end" };

const OPERATOR = /;;|&&|\|\||[;&|()]/uy;
const REDIRECT = /([0-2]?)(<<|<&|<>|>>|>&|>\||<|>)/uy;
const BLANK = /(?:[ \t]|\\\n)+/uy;
const COMMENT = /#[^\n]*/uy;
const PLAIN = /[^ \t\n;&|()<>'"\\$`]+/uy;
const NAME = "([A-Za-z_][A-Za-z0-9_]*|[0-9?$!#@*])";
const FALLBACK = "(?::-([^{}$`'\"\\\\]*))?";
const PARAMETER = new RegExp(`\\$(?:${NAME}|\\{${NAME}${FALLBACK}\\})`, "uy");
const SINGLE_QUOTED = /'([^']*)'/uy;

/** What the shell of a container knows and this one does not, said as it is met. */
export function notSimulated(what: string): string {
  return `${what} is not in the simulator's shell`;
}

const UNTERMINATED = "syntax error: unterminated quoted string";

/** The tokens of `text`, up to its end or to the first thing that is none. */
export function tokenize(text: string): readonly Token[] {
  const lexer = new Lexer(text);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.token === "end" || token.token === "problem") return tokens;
  }
}

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#match(BLANK);
    this.#match(COMMENT);
    if (this.#at >= this.#text.length) return { token: "end" };
    if (this.#text[this.#at] === "\n") {
      this.#at += 1;
      return { token: "newline" };
    }
    const redirect = this.#match(REDIRECT);
    if (redirect !== undefined) return redirectToken(redirect[1] ?? "", redirect[2] ?? "");
    const operator = this.#match(OPERATOR);
    if (operator !== undefined) return { token: "operator", text: operator[0] };
    return this.#word();
  }

  #word(): Token {
    const parts: WordPart[] = [];
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at];
      const problem =
        letter === '"' ? this.#doubleQuoted(parts) : this.#unquoted(parts, letter ?? "");
      if (problem === "done") break;
      if (problem !== undefined) return { token: "problem", message: problem };
    }
    return { token: "word", word: parts };
  }

  /** Adds the next piece; "done" where the word ends, or what is wrong. */
  #unquoted(parts: WordPart[], letter: string): string | undefined {
    const plain = this.#match(PLAIN);
    if (plain !== undefined) return push(parts, plain[0], false);
    if (letter === "'") {
      const quoted = this.#match(SINGLE_QUOTED);
      return quoted === undefined ? UNTERMINATED : push(parts, quoted[1] ?? "", true);
    }
    if (letter === "\\") {
      const escaped = this.#text[this.#at + 1];
      this.#at += 2;
      if (escaped === "\n") return undefined;
      return push(parts, escaped ?? "\\", true);
    }
    if (letter === "$" || letter === "`") return this.#dollar(parts, false);
    return "done";
  }

  #doubleQuoted(parts: WordPart[]): string | undefined {
    this.#at += 1;
    // Quotes without anything between them are still a word.
    push(parts, "", true);
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? "";
      if (letter === '"') {
        this.#at += 1;
        return undefined;
      }
      if (letter === "$" || letter === "`") {
        const problem = this.#dollar(parts, true);
        if (problem !== undefined) return problem;
        continue;
      }
      const next = this.#text[this.#at + 1] ?? "";
      const isEscape = letter === "\\" && /[$`"\\\n]/u.test(next);
      this.#at += isEscape ? 2 : 1;
      if (isEscape) push(parts, next === "\n" ? "" : next, true);
      else push(parts, letter, true);
    }
    return UNTERMINATED;
  }

  #dollar(parts: WordPart[], quoted: boolean): string | undefined {
    const parameter = this.#match(PARAMETER);
    if (parameter !== undefined) {
      const name = parameter[1] ?? parameter[2] ?? "";
      parts.push({ part: "parameter", name, quoted, fallback: parameter[3] });
      return undefined;
    }
    const opening = /^(?:\$\(\(|\$\(|\$\{|`)/u.exec(this.#text.slice(this.#at, this.#at + 3));
    if (opening !== null) return notSimulated(`"${opening[0]}"`);
    this.#at += 1;
    return push(parts, "$", quoted);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }
}

/** Adds text to a word, to its last piece when that is of the same kind. */
function push(parts: WordPart[], text: string, quoted: boolean): undefined {
  const last = parts.at(-1);
  if (last?.part !== "text" || last.quoted !== quoted) {
    parts.push({ part: "text", text, quoted });
    return;
  }
  parts[parts.length - 1] = { part: "text", text: last.text + text, quoted };
}

/** The stream of that number. */
export function parseFd(digit: string): Fd | undefined {
  return FDS.find((fd) => String(fd) === digit);
}

const FDS: readonly Fd[] = [0, 1, 2];

function redirectToken(digit: string, operator: string): Token {
  const fd = parseFd(digit) ?? (operator.startsWith("<") ? 0 : 1);
  if (operator === "<" || operator === ">" || operator === ">>" || operator === ">&") {
    return { token: "redirect", fd, operator };
  }
  return { token: "problem", message: notSimulated(`"${operator}"`) };
}
