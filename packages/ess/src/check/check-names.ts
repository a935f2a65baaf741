import type { DomainIr } from "../ir/ir.js";
import { camelCase, pascalCase } from "../ir/naming.js";
import type { TypeIr } from "../ir/type-ir.js";
import { type CheckContext, reportAt } from "./check-context.js";

/** A name that generated code will have, and the declaration that gives it. */
export interface GeneratedName {
  readonly name: string;
  readonly node: object;
}

/** Refuses names that generated code would have twice or cannot have. */
export function checkNames(context: CheckContext): void {
  const seen = new Map<string, object>();
  // A declaration gives several names; one of them is enough to say that it clashes.
  const reported = new Set<object>();
  for (const { name, node } of context.ir.domains.flatMap(generatedNames)) {
    const first = seen.get(name);
    if (reserved.has(name)) {
      reportAt(context, "ESS-NAME-002", node, `generated code cannot have the name '${name}'`);
    } else if (first === undefined) {
      seen.set(name, node);
    } else if (!reported.has(node)) {
      reported.add(node);
      const related = [{ message: "first declared here", span: context.places.of(first) }];
      const message = `generated code would have the name '${name}' twice`;
      reportAt(context, "ESS-NAME-001", node, message, { related });
    }
  }
}

/** Every name that the index gives on for a domain. */
export function generatedNames(domain: DomainIr): readonly GeneratedName[] {
  const [firstError] = domain.errors;
  const errors = firstError === undefined ? [] : ["ErrorDescription", "errorCatalogue"];
  return [
    ...domain.limits.map((limit) => ({ name: camelCase(limit.name), node: limit })),
    ...domain.types.flatMap(typeNames),
    ...errors.map((name) => ({ name, node: firstError ?? domain })),
    ...domain.lifecycles.flatMap((lifecycle) => {
      const pascal = pascalCase(lifecycle.name);
      const names = [
        `${camelCase(lifecycle.name)}Lifecycle`,
        `step${pascal}`,
        `is${pascal}Terminal`,
      ];
      return names.map((name) => ({ name, node: lifecycle }));
    }),
    ...domain.operations.map((operation) => ({
      name: `${camelCase(operation.id)}Declaration`,
      node: operation,
    })),
    ...domain.decisions.flatMap((decision) => {
      const pascal = pascalCase(decision.name);
      const camel = camelCase(decision.name);
      const names = [
        ...["Facts", "Row", "Outcome"].map((suffix) => `${pascal}${suffix}`),
        ...(decision.values.length === 0 ? [] : [`${pascal}Values`]),
        `decide${pascal}`,
        `${camel}Table`,
        `${camel}Matrix`,
        ...decision.facts.flatMap((fact) => {
          if (fact.type !== undefined || typeof fact.domain[0] === "boolean") return [];
          const name = `${pascal}${pascalCase(fact.name)}`;
          return fact.classes === undefined ? [name] : [name, `classify${name}`];
        }),
      ];
      return names.map((name) => ({ name, node: decision }));
    }),
  ];
}

function typeNames(type: TypeIr): readonly GeneratedName[] {
  const names = [type.name, `parse${type.name}`];
  if (type.kind === "enum") names.push(`${camelCase(type.name)}Values`, `is${type.name}`);
  if (type.kind === "struct" || type.kind === "union") {
    names.push(`encodeCanonical${type.name}`);
    const bound = type.bytes?.max;
    if (bound !== undefined && bound.limit === undefined) {
      names.push(`${camelCase(type.name)}BytesMax`);
    }
  }
  const own = names.map((name) => ({ name, node: type }));
  if (type.kind !== "union") return own;
  return [...own, ...type.variants.map((variant) => ({ name: variant.name, node: variant }))];
}

// Built-in types of the language and of TypeScript, and what the index takes from elsewhere.
const reserved: ReadonlySet<string> = new Set(
  (
    "String Boolean Integer Int64 Timestamp Duration Uuid Bytes Json List Map Optional Nullable " +
    "Array Object Record Readonly ReadonlySet Set Error RangeError Symbol Partial Promise " +
    "Function " +
    "Brand DecisionMatrix DecisionTableRow Invalid Issue JsonValue Lifecycle Parsed Reader " +
    "Reading " +
    "Members ItemBounds canonicalJson codePoints isWellFormed issuesMax utf8Bytes invalid refuse " +
    "OperationName OperationParsers operationDeclarations operationParsers parseWith trusted " +
    "default undefined"
  ).split(" "),
);
