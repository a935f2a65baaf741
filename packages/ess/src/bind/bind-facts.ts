import type { FactClassIr, FactIr } from "../ir/decision-ir.js";
import type { Named } from "../shape/decode.js";
import type { CellShape, FactShape } from "../shape/decision-shape.js";
import type { Scope } from "./scope.js";
import { resolveType } from "./scope.js";

/** What a fact may be, given the values of the enums that facts may name. */
export type EnumValues = (type: {
  readonly domain: string;
  readonly name: string;
}) => readonly string[] | undefined;

/** A fact with every value that it may have; undefined when the reason has been reported. */
export function bindFact(
  scope: Scope,
  enumValues: EnumValues,
  { name, value: shape }: Named<FactShape>,
): FactIr | undefined {
  const common = { name: name.value, doc: shape.doc?.value ?? "", type: undefined };
  const { places } = scope;
  if (shape.boolean !== undefined) {
    return places.mark({ ...common, domain: [true, false], classes: undefined }, name.span);
  }
  if (shape.enum !== undefined) {
    const domain = shape.enum.map(({ value }) => value);
    return places.mark({ ...common, domain, classes: undefined }, name.span);
  }
  if (shape.type !== undefined) {
    const resolved = resolveType(scope, shape.type);
    if (resolved === undefined) return undefined;
    const type = resolved.type.kind === "named" ? resolved.type : undefined;
    const domain = type === undefined ? undefined : enumValues(type);
    if (type === undefined || domain === undefined) {
      const message = `'${shape.type.value}' is not an enum, so it is not finite`;
      scope.sink.report("ESS-DEC-001", shape.type.span, message);
      return undefined;
    }
    const named = { domain: type.domain, name: type.name };
    return places.mark({ ...common, domain, type: named, classes: undefined }, name.span);
  }
  return bindClasses(scope, { name, value: shape });
}

function bindClasses(scope: Scope, { name, value: shape }: Named<FactShape>): FactIr | undefined {
  if (shape.rest === undefined) {
    scope.sink.report("ESS-SHAPE-002", shape.span, "a fact cut into classes needs 'rest'");
    return undefined;
  }
  const of = shape.of?.value ?? "Integer";
  const classes = (shape.classes ?? []).map((written) =>
    scope.places.mark(
      {
        name: written.name.value,
        members: written.value.flatMap((cell) => bindMember(scope, of, cell)),
      },
      written.name.span,
    ),
  );
  const domain = [...classes.map((written) => written.name), shape.rest.value];
  const fact: FactIr = {
    name: name.value,
    doc: shape.doc?.value ?? "",
    domain,
    type: undefined,
    classes: { of, rest: shape.rest.value, classes },
  };
  return scope.places.mark(fact, name.span);
}

function bindMember(
  scope: Scope,
  of: "Integer" | "String",
  cell: CellShape,
): FactClassIr["members"] {
  const text = String(cell.value);
  if (of === "String") return [{ kind: "literal", value: text }];
  const match = /^(-?[0-9]+)(?:\.\.(-?[0-9]+))?$/.exec(text);
  const from = Number(match?.[1]);
  const to = match?.[2] === undefined ? from : Number(match[2]);
  if (match === null || !Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from > to) {
    scope.sink.report("ESS-DEC-002", cell.span, `'${text}' is no integer and no range A..B`);
    return [];
  }
  return [from === to ? { kind: "literal", value: from } : { kind: "range", from, to }];
}
