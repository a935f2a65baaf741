/** A type as written, before its names mean anything; offsets count from the start of the text. */
export interface TypeExpression {
  readonly name: string;
  readonly offset: number;
  readonly arguments: readonly TypeExpression[];
}

/** The expression in `text`, or the offset at which it stops being one. */
export function parseTypeExpression(
  text: string,
):
  | { readonly ok: true; readonly value: TypeExpression }
  | { readonly ok: false; readonly at: number } {
  const state = { text, at: 0 };
  const value = expression(state);
  if (value === undefined || state.at < text.length) return { ok: false, at: state.at };
  return { ok: true, value };
}

interface State {
  readonly text: string;
  at: number;
}

function expression(state: State): TypeExpression | undefined {
  skipSpace(state);
  const name = /^[A-Za-z][A-Za-z0-9_.-]*/.exec(state.text.slice(state.at))?.[0];
  if (name === undefined) return undefined;
  const offset = state.at;
  state.at += name.length;
  const parameters: TypeExpression[] = [];
  skipSpace(state);
  if (!take(state, "<")) return { name, offset, arguments: parameters };
  do {
    const parameter = expression(state);
    if (parameter === undefined) return undefined;
    parameters.push(parameter);
  } while (take(state, ","));
  if (!take(state, ">")) return undefined;
  skipSpace(state);
  return { name, offset, arguments: parameters };
}

function take(state: State, character: string): boolean {
  skipSpace(state);
  if (state.text[state.at] !== character) return false;
  state.at += 1;
  return true;
}

function skipSpace(state: State): void {
  while (state.text[state.at] === " ") state.at += 1;
}
