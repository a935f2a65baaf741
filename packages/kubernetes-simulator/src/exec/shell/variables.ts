import type { Parameters } from "./expand.js";

/** What a shell remembers between commands. */
export class Variables implements Parameters {
  readonly #values: Map<string, string>;
  readonly #exported: Set<string>;
  readonly pid: number;
  readonly name: string;
  readonly positional: readonly string[];
  directory: string;
  /** How the last command ended: `$?`. */
  lastCode = 0;
  /** The last background task: `$!`. */
  lastBackground: number | undefined;
  /** `set -e`: a command that fails ends the shell. */
  endsOnFailure = false;

  constructor(start: {
    readonly values: ReadonlyMap<string, string>;
    readonly exported: Iterable<string>;
    readonly pid: number;
    readonly name: string;
    readonly positional: readonly string[];
    readonly directory: string;
  }) {
    this.#values = new Map(start.values);
    this.#exported = new Set(start.exported);
    this.pid = start.pid;
    this.name = start.name;
    this.positional = start.positional;
    this.directory = start.directory;
  }

  /** A copy for a subshell: what changes there changes nothing here. */
  fork(): Variables {
    const copy = new Variables({
      values: this.#values,
      exported: this.#exported,
      pid: this.pid,
      name: this.name,
      positional: this.positional,
      directory: this.directory,
    });
    copy.lastCode = this.lastCode;
    copy.lastBackground = this.lastBackground;
    copy.endsOnFailure = this.endsOnFailure;
    return copy;
  }

  readonly valueOf = (name: string): string | undefined => {
    switch (name) {
      case "?":
        return String(this.lastCode);
      case "$":
        return String(this.pid);
      case "!":
        return this.lastBackground === undefined ? undefined : String(this.lastBackground);
      case "#":
        return String(this.positional.length);
      case "0":
        return this.name;
      default:
        return /^\d$/u.test(name) ? this.positional[Number(name) - 1] : this.#values.get(name);
    }
  };

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  unset(name: string): void {
    this.#values.delete(name);
    this.#exported.delete(name);
  }

  export(name: string): void {
    this.#exported.add(name);
  }

  /** What a program that is started from here gets. */
  environment(): Map<string, string> {
    return new Map([...this.#values].filter(([name]) => this.#exported.has(name)));
  }
}
