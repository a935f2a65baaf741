import { kubeconfigAliasesMax } from "@connectors/domain";
import { fail, succeed, type Json, type Outcome } from "@connectors/sdk";
import { parseDocument, type Tags } from "yaml";

// What Go's YAML does not resolve in a plain scalar: dates stay text, and so does `12:34`.
const unresolved = new Set([
  "tag:yaml.org,2002:timestamp",
  "tag:yaml.org,2002:binary",
  "tag:yaml.org,2002:omap",
  "tag:yaml.org,2002:pairs",
  "tag:yaml.org,2002:set",
]);

function dropUnresolved(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === "string" ||
      !(unresolved.has(tag.tag) || ("format" in tag && tag.format === "TIME")),
  );
}

/**
 * The value of one YAML 1.1 document (JSON included), as kubectl reads it: `y` and `on` are
 * booleans, so that a name that kubectl refuses is not taken for text here.
 *
 * `invalid_input` with a line number for anything that is not one document, for a member twice,
 * and for more aliases than `kubeconfigAliasesMax`; `what` names the text in messages.
 */
export function parseYamlText(text: string, what: string): Outcome<Json> {
  const document = parseDocument(text, {
    version: "1.1",
    customTags: dropUnresolved,
    logLevel: "error",
    prettyErrors: true,
    uniqueKeys: true,
  });
  const first = document.errors[0] ?? document.warnings[0];
  if (first !== undefined) {
    const line = first.linePos?.[0].line;
    // The parser's own message quotes the text, so its code has to do.
    return fail("invalid_input", `${what}: ${describeCode(first.code)} at line ${line ?? "?"}`);
  }
  try {
    return succeed(document.toJS({ maxAliasCount: kubeconfigAliasesMax }) as Json);
  } catch {
    return fail("invalid_input", `${what}: too many YAML aliases`);
  }
}

function describeCode(code: string): string {
  return code === "DUPLICATE_KEY"
    ? "a member twice"
    : `no valid YAML (${code.toLowerCase().replaceAll("_", " ")})`;
}
