import type { DomainIr, SystemIr } from "../../ir/ir.js";
import { domainOf } from "../../ir/ir.js";
import { type Emitter, generatedMark } from "../emitter.js";
import { typeSchema } from "./schema-of.js";

/** JSON Schema of every type: a file a domain, which refer to each other by their names. */
export const emitJsonSchema: Emitter = (ir, options) =>
  new Map(
    ir.domains
      .filter(({ types }) => types.length > 0)
      .map((domain) => [
        `${options.reference}/schemas/${domain.base}.json`,
        domainSchema(ir, domain),
      ]),
  );

function domainSchema(ir: SystemIr, domain: DomainIr): string {
  const refer = ({ domain: home, name }: { readonly domain: string; readonly name: string }) => {
    const file = home === domain.name ? "" : `${domainOf(ir, home).base}.json`;
    return `${file}#/$defs/${name}`;
  };
  const schema = {
    $comment: generatedMark(domain.path, domain.sha256),
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: domain.name,
    description: domain.doc,
    $defs: Object.fromEntries(
      domain.types.map((type) => [type.name, typeSchema({ ir, refer }, type)]),
    ),
  };
  // JSON has no comments: the mark stands in the first line as a member.
  return `${JSON.stringify(schema, undefined, 2).replace("{\n  ", "{ ")}\n`;
}
