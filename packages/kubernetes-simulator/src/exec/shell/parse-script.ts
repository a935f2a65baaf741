import { execBounds } from "../exec-bounds.js";
import type {
  AndOr,
  Assignment,
  Command,
  List,
  Pipeline,
  Redirect,
  Script,
  Word,
} from "./syntax.js";
import { notSimulated, parseFd, tokenize, type Token } from "./token.js";

const RESERVED: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac function in".split(" "),
);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/u;
const END: Token = { token: "end" };

/**
 * The lines of `text` that can be run. As in a real shell a line is only looked at when those
 * before it have been: what is wrong with one takes nothing from the lines before it.
 */
export function parseScript(text: string): Script {
  return new Parser(tokenize(text)).script();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #problem: string | undefined;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  script(): Script {
    const lines: List[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#peek().token === "end") return { lines, problem: undefined };
      const line = this.#list();
      if (line === undefined) return { lines, problem: this.#problem };
      const after = this.#peek();
      if (after.token !== "newline" && after.token !== "end") {
        this.#unexpected();
        return { lines, problem: this.#problem };
      }
      lines.push(line);
    }
  }

  /** What stands on one line, up to a newline, an end or a closing bracket. */
  #list(): List | undefined {
    const items: { andOr: AndOr; background: boolean }[] = [];
    do {
      const andOr = this.#andOr();
      if (andOr === undefined) return undefined;
      const isBackground = this.#takeOperator("&");
      items.push({ andOr, background: isBackground });
      if (!isBackground && !this.#takeOperator(";")) break;
    } while (!this.#atListEnd());
    return items;
  }

  #andOr(): AndOr | undefined {
    const first = this.#pipeline();
    if (first === undefined) return undefined;
    const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = [];
    for (;;) {
      const operator = this.#takeOperator("&&")
        ? "&&"
        : this.#takeOperator("||")
          ? "||"
          : undefined;
      if (operator === undefined) return { first, rest };
      this.#skipNewlines();
      const pipeline = this.#pipeline();
      if (pipeline === undefined) return undefined;
      rest.push({ operator, pipeline });
    }
  }

  #pipeline(): Pipeline | undefined {
    const negated = this.#takeWord("!");
    const commands: Command[] = [];
    do {
      if (commands.length > 0) this.#skipNewlines();
      const command = this.#command();
      if (command === undefined) return undefined;
      commands.push(command);
    } while (this.#takeOperator("|"));
    return { negated, commands };
  }

  #command(): Command | undefined {
    if (this.#takeOperator("(")) return this.#compound("subshell", ")");
    if (this.#takeWord("{")) return this.#compound("group", "}");
    if (this.#peekText() === "}") return this.#unexpected();
    const reserved = this.#peekText();
    if (reserved !== undefined && RESERVED.has(reserved)) {
      return this.#fail(notSimulated(`"${reserved}"`));
    }
    return this.#simple();
  }

  #compound(command: "group" | "subshell", closing: ")" | "}"): Command | undefined {
    if (this.#depth >= execBounds.shellDepthMax) return this.#fail("nested too deeply");
    this.#depth += 1;
    const body: List[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#isClosing(closing)) break;
      const list = this.#list();
      if (list === undefined) return this.#expecting(closing);
      body.push(list);
    }
    this.#at += 1;
    this.#depth -= 1;
    const redirects = this.#redirects();
    return redirects === undefined ? undefined : { command, body, redirects };
  }

  #simple(): Command | undefined {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const more = this.#redirects();
      if (more === undefined) return undefined;
      redirects.push(...more);
      const token = this.#peek();
      if (token.token !== "word") break;
      this.#at += 1;
      const assignment = words.length === 0 ? assignmentOf(token.word) : undefined;
      if (assignment === undefined) words.push(token.word);
      else assignments.push(assignment);
    }
    const isEmpty = words.length + assignments.length + redirects.length === 0;
    const next = this.#peek();
    if (isEmpty || next.token === "problem") return this.#unexpected();
    if (next.token === "operator" && next.text === "(")
      return this.#fail(notSimulated("a function"));
    return { command: "simple", assignments, words, redirects };
  }

  #redirects(): readonly Redirect[] | undefined {
    const redirects: Redirect[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.token !== "redirect") return redirects;
      this.#at += 1;
      const target = this.#peek();
      if (target.token !== "word") return this.#unexpected();
      this.#at += 1;
      const redirect = redirectOf(token, target.word);
      if (redirect === undefined) return this.#fail("syntax error: bad fd number");
      redirects.push(redirect);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  /** The next token's text, when it is a word without quotes or parameters. */
  #peekText(): string | undefined {
    const token = this.#peek();
    return token.token === "word" ? literalOf(token.word) : undefined;
  }

  #takeOperator(text: string): boolean {
    const token = this.#peek();
    if (token.token !== "operator" || token.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #takeWord(text: string): boolean {
    if (this.#peekText() !== text) return false;
    this.#at += 1;
    return true;
  }

  #skipNewlines(): void {
    while (this.#peek().token === "newline") this.#at += 1;
  }

  #isClosing(closing: ")" | "}"): boolean {
    const token = this.#peek();
    if (closing === "}") return this.#peekText() === "}";
    return token.token === "operator" && token.text === ")";
  }

  #atListEnd(): boolean {
    const token = this.#peek();
    if (token.token === "newline" || token.token === "end") return true;
    return this.#depth > 0 && (this.#isClosing(")") || this.#isClosing("}"));
  }

  #fail(problem: string): undefined {
    this.#problem ??= problem;
  }

  #unexpected(): undefined {
    const token = this.#peek();
    if (token.token === "problem") return this.#fail(token.message);
    return this.#fail(`syntax error: unexpected ${describeToken(token)}`);
  }

  /** Adds what was waited for to the complaint about a text that ends too early. */
  #expecting(closing: string): undefined {
    const ended = "syntax error: unexpected end of file";
    if (this.#problem === ended) this.#problem = `${ended} (expecting "${closing}")`;
  }
}

function describeToken(token: Token): string {
  switch (token.token) {
    case "operator":
      return `"${token.text}"`;
    case "word":
      return `"${literalOf(token.word) ?? "word"}"`;
    case "newline":
      return "newline";
    case "redirect":
      return "redirection";
    case "problem":
    case "end":
      return "end of file";
  }
}

function literalOf(word: Word): string | undefined {
  const [first, second] = word;
  if (first?.part !== "text" || first.quoted || second !== undefined) return undefined;
  return first.text;
}

function assignmentOf(word: Word): Assignment | undefined {
  const [first, ...rest] = word;
  if (first?.part !== "text" || first.quoted) return undefined;
  const [prefix, name] = ASSIGNMENT.exec(first.text) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  const text = first.text.slice(prefix.length);
  return { name, value: text === "" ? rest : [{ ...first, text }, ...rest] };
}

function redirectOf(token: Token & { token: "redirect" }, target: Word): Redirect | undefined {
  const { fd, operator } = token;
  switch (operator) {
    case "<":
      return { redirect: "file", fd, mode: "read", target };
    case ">":
      return { redirect: "file", fd, mode: "replace", target };
    case ">>":
      return { redirect: "file", fd, mode: "append", target };
    case ">&": {
      const from = parseFd(literalOf(target) ?? "");
      return from === undefined ? undefined : { redirect: "duplicate", fd, from };
    }
  }
}
