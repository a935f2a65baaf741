/** A regular expression as far as sampling needs it. */
export type PatternNode =
  | { readonly kind: "characters"; readonly sample: string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly of: PatternNode;
      readonly min: number;
      readonly max: number;
    };

/** The tree of a pattern; undefined for what sampling does not understand, such as look-ahead. */
export function parsePattern(source: string): PatternNode | undefined {
  const state: State = { source, at: 0 };
  const node = choice(state);
  return node !== undefined && state.at === source.length ? node : undefined;
}

interface State {
  readonly source: string;
  at: number;
}

function choice(state: State): PatternNode | undefined {
  const options: PatternNode[] = [];
  do {
    const option = sequence(state);
    if (option === undefined) return undefined;
    options.push(option);
  } while (take(state, "|"));
  const [only] = options;
  return options.length === 1 ? only : { kind: "choice", options };
}

function sequence(state: State): PatternNode | undefined {
  const parts: PatternNode[] = [];
  while (state.at < state.source.length && !"|)".includes(state.source.charAt(state.at))) {
    if (take(state, "^") || take(state, "$")) continue;
    const part = repeated(state);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return { kind: "sequence", parts };
}

function repeated(state: State): PatternNode | undefined {
  const of = atom(state);
  if (of === undefined) return undefined;
  const marks = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(state.source.slice(state.at));
  if (marks === null) return of;
  const [mark, exact, comma, upper] = marks;
  state.at += mark.length;
  if (mark.startsWith("*")) return { kind: "repeat", of, min: 0, max: Infinity };
  if (mark.startsWith("+")) return { kind: "repeat", of, min: 1, max: Infinity };
  if (mark.startsWith("?")) return { kind: "repeat", of, min: 0, max: 1 };
  const min = Number(exact);
  if (comma === undefined) return { kind: "repeat", of, min, max: min };
  return { kind: "repeat", of, min, max: upper === "" ? Infinity : Number(upper) };
}

function atom(state: State): PatternNode | undefined {
  if (take(state, "(")) {
    if (state.source.startsWith("?:", state.at)) state.at += 2;
    else if (state.source.charAt(state.at) === "?") return undefined;
    const inner = choice(state);
    return take(state, ")") ? inner : undefined;
  }
  const text = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^\\[\](){}*+?|])/su.exec(
    state.source.slice(state.at),
  );
  if (text === null) return undefined;
  const [piece] = text;
  state.at += piece.length;
  return sampleOf(piece);
}

// The engine itself says which of the likely characters a class or an escape takes.
function sampleOf(piece: string): PatternNode | undefined {
  const test = new RegExp(`^${piece}$`, "su");
  const sample = Array.from(likely).find((character) => test.test(character));
  return sample === undefined ? undefined : { kind: "characters", sample };
}

const likely =
  "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
  "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ é";

function take(state: State, character: string): boolean {
  if (state.source.charAt(state.at) !== character) return false;
  state.at += 1;
  return true;
}
