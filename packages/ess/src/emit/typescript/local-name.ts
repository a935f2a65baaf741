import { camelCase } from "../../ir/naming.js";

// Words that a local variable of generated code cannot be called.
const taken: ReadonlySet<string> = new Set(
  (
    "value values facts at members result invalid undefined break case catch class const " +
    "continue debugger default delete do else enum export extends false finally for function " +
    "if import in instanceof new null return super switch this throw true try typeof var void " +
    "while with yield let static await implements interface package private protected public " +
    "arguments eval"
  ).split(" "),
);

/** The local variable that holds the member `name` in generated code. */
export function localName(name: string): string {
  const local = /^[a-z][a-z0-9_]*$/.test(name) ? name : camelCase(name);
  return taken.has(local) || local.startsWith("read") ? `${local}Member` : local;
}
