import { inspect } from "node:util";

/** Text that no log, error or JSON can show; only who asks for it by name gets it. */
export interface SecretText {
  reveal(): string;
}

/** Keeps `text` out of everything that prints objects. */
export function makeSecretText(text: string): SecretText {
  return new HiddenText(text);
}

class HiddenText implements SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}
