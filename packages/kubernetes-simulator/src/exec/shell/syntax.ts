/** A word, in the pieces that are expanded on their own. */
export type Word = readonly WordPart[];

/** One piece of a word; what is quoted is never split. */
export type WordPart =
  | { readonly part: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly part: "parameter";
      /** A name, a digit, or one of `? $ ! # @ *`. */
      readonly name: string;
      readonly quoted: boolean;
      /** What stands for a parameter that is unset or empty: `${NAME:-text}`. */
      readonly fallback: string | undefined;
    };

/** Where one of a command's three streams goes or comes from. */
export type Redirect =
  | { readonly redirect: "file"; readonly fd: Fd; readonly mode: FileMode; readonly target: Word }
  | { readonly redirect: "duplicate"; readonly fd: Fd; readonly from: Fd };

/** The three streams that a command has. */
export type Fd = 0 | 1 | 2;

/** How a redirection opens its file. */
export type FileMode = "read" | "replace" | "append";

/** `NAME=value` in front of a command, or on its own. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** One member of a pipeline. */
export type Command =
  | {
      readonly command: "simple";
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly command: "group" | "subshell";
      readonly body: readonly List[];
      readonly redirects: readonly Redirect[];
    };

/** Commands joined by `|`, perhaps behind a `!`. */
export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined by `&&` and `||`. */
export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
}

/** What `;` and `&` separate on one line. */
export type List = readonly { readonly andOr: AndOr; readonly background: boolean }[];

/** A text for the shell: the lines that can be run, and what is wrong with the one after them. */
export interface Script {
  readonly lines: readonly List[];
  readonly problem: string | undefined;
}
