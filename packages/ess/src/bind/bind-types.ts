import { pascalCase } from "../ir/naming.js";
import type {
  BoundsIr,
  EnumIr,
  FieldIr,
  InvariantIr,
  NewtypeIr,
  StructIr,
  TypeExpressionIr,
  TypeIr,
  UnionIr,
} from "../ir/type-ir.js";
import type { BoundsShape } from "../shape/bounds-shape.js";
import type { Named } from "../shape/decode.js";
import type { DomainShape } from "../shape/domain-shape.js";
import type { FieldShape, InvariantShape, TypeShape, VariantShape } from "../shape/type-shape.js";
import { parseRule } from "./parse-rule.js";
import { type Scope, resolveBound, resolveRange, resolveType } from "./scope.js";

/** The types of a domain, those that lifecycles and errors give it last. */
export function bindTypes(scope: Scope, shape: DomainShape): readonly TypeIr[] {
  const written = (shape.types ?? []).map((type) => bindType(scope, type));
  return [...written.filter((type) => type !== undefined), ...derivedTypes(scope, shape)];
}

/** The bounds as numbers. */
export function bindBounds(scope: Scope, shape: BoundsShape): BoundsIr {
  return {
    min: resolveBound(scope, shape.min),
    max: resolveBound(scope, shape.max),
    length: resolveRange(scope, shape.length),
    bytes: resolveRange(scope, shape.bytes),
    pattern: shape.pattern?.value,
    alphabet: shape.alphabet?.value,
    items: resolveRange(scope, shape.items),
    totalBytes: resolveRange(scope, shape.total_bytes),
    distinct: shape.distinct?.value ?? false,
    sorted: shape.sorted?.value ?? false,
  };
}

function bindType(scope: Scope, { name, value: shape }: Named<TypeShape>): TypeIr | undefined {
  const common = { name: name.value, doc: shape.doc.value };
  const { places } = scope;
  switch (shape.kind) {
    case "newtype": {
      const resolved = resolveType(scope, shape.newtype);
      if (resolved === undefined) return undefined;
      const bounds = bindBounds(scope, shape);
      const sensitive = shape.sensitive?.value ?? false;
      return places.mark<NewtypeIr>(
        { kind: "newtype", ...common, of: resolved.type, bounds, sensitive },
        name.span,
      );
    }
    case "enum": {
      const values = shape.enum.map((value) => ({
        value: value.name.value,
        doc: value.value.value,
      }));
      return places.mark<EnumIr>(
        { kind: "enum", ...common, values, derived: undefined },
        name.span,
      );
    }
    case "struct":
      return places.mark<StructIr>(
        {
          kind: "struct",
          ...common,
          fields: bindFields(scope, shape.struct),
          bytes: resolveRange(scope, shape.bytes),
          invariants: bindInvariants(scope, shape.invariants),
        },
        name.span,
      );
    case "union":
      return places.mark<UnionIr>(
        {
          kind: "union",
          ...common,
          tag: shape.union.value,
          variants: shape.variants.map((variant) => bindVariant(scope, name.value, variant)),
          bytes: resolveRange(scope, shape.bytes),
        },
        name.span,
      );
  }
}

function bindVariant(scope: Scope, union: string, { name, value }: Named<VariantShape>) {
  const variant = {
    tag: name.value,
    name: `${union}${pascalCase(name.value)}`,
    doc: value.doc?.value ?? "",
    fields: bindFields(scope, value.fields ?? []),
    invariants: bindInvariants(scope, value.invariants),
  };
  return scope.places.mark(variant, name.span);
}

function bindFields(scope: Scope, shapes: readonly Named<FieldShape>[]): readonly FieldIr[] {
  return shapes.map((field) => bindField(scope, field)).filter((field) => field !== undefined);
}

function bindField(scope: Scope, { name, value: shape }: Named<FieldShape>): FieldIr | undefined {
  const resolved = fieldType(scope, shape);
  if (resolved === undefined) return undefined;
  const field: FieldIr = {
    name: name.value,
    type: resolved.type,
    presence: resolved.wrapper ?? shape.presence?.value ?? "required",
    bounds: bindBounds(scope, shape),
    default: shape.default?.value,
    sensitive: shape.sensitive?.value ?? false,
    doc: shape.doc?.value ?? "",
  };
  return scope.places.mark(field, name.span);
}

function fieldType(
  scope: Scope,
  shape: FieldShape,
): { type: TypeExpressionIr; wrapper?: FieldIr["presence"] | undefined } | undefined {
  if (shape.type !== undefined) return resolveType(scope, shape.type);
  if (shape.const === undefined) return undefined;
  const { value, span } = shape.const;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { type: { kind: "const", value } };
  }
  scope.sink.report("ESS-SHAPE-003", span, "a const is a text, an exact integer or a boolean");
  return undefined;
}

function bindInvariants(
  scope: Scope,
  shapes: readonly InvariantShape[] | undefined,
): readonly InvariantIr[] {
  return (shapes ?? []).flatMap((shape) => {
    const parsed = parseRule(shape.rule.value);
    if (!parsed.ok) {
      const message = `${parsed.message}, at character ${parsed.at + 1} of the rule`;
      scope.sink.report("ESS-RULE-001", shape.rule.span, message);
      return [];
    }
    const { id, rule: text, doc } = shape;
    const invariant = { id: id.value, text: text.value, rule: parsed.rule, doc: doc.value };
    return [scope.places.mark(invariant, text.span)];
  });
}

function derivedTypes(scope: Scope, shape: DomainShape): readonly EnumIr[] {
  const derived = (shape.lifecycles ?? []).flatMap(({ name, value }): EnumIr[] => {
    const pascal = pascalCase(name.value);
    const states = value.states.map((state) => ({
      value: state.name.value,
      doc: state.value.doc?.value ?? "",
    }));
    const events = value.transitions.map((transition) => ({
      value: transition.name.value,
      doc: transition.value.doc?.value ?? "",
    }));
    const doc = value.doc.value;
    return [
      { kind: "enum", name: `${pascal}State`, doc, values: states, derived: "states" },
      { kind: "enum", name: `${pascal}Event`, doc, values: events, derived: "events" },
    ].map((type) => scope.places.mark(type as EnumIr, name.span));
  });
  const [firstError] = shape.errors ?? [];
  if (firstError === undefined) return derived;
  const values = (shape.errors ?? []).map(({ name, value }) => ({
    value: name.value,
    doc: value.doc.value,
  }));
  const codes: EnumIr = {
    kind: "enum",
    name: "ErrorCode",
    doc: "Every error code there is.",
    values,
    derived: "errors",
  };
  return [...derived, scope.places.mark(codes, firstError.name.span)];
}
