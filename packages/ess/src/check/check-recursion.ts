import { typeOf } from "../ir/ir.js";
import type { FieldIr, TypeExpressionIr, TypeIr } from "../ir/type-ir.js";
import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses types that no finite value has, because each holds itself without a way out. */
export function checkRecursion(context: CheckContext): void {
  const finite = new Set<TypeIr>();
  const types = context.ir.domains.flatMap((domain) => domain.types);
  for (let before = -1; before !== finite.size;) {
    before = finite.size;
    for (const type of types) {
      if (!finite.has(type) && isFinite(context, finite, type)) finite.add(type);
    }
  }
  for (const type of types) {
    if (finite.has(type)) continue;
    const message = `no value of '${type.name}' is finite: it always holds another of itself`;
    reportAt(context, "ESS-TYPE-007", type, message);
  }
}

function isFinite(context: CheckContext, finite: ReadonlySet<TypeIr>, type: TypeIr): boolean {
  const ends = (expression: TypeExpressionIr): boolean =>
    expression.kind !== "named" || finite.has(typeOf(context.ir, expression));
  const fieldEnds = (field: FieldIr): boolean => field.presence !== "required" || ends(field.type);
  switch (type.kind) {
    case "newtype":
      return ends(type.of);
    case "enum":
      return true;
    case "struct":
      return type.fields.every(fieldEnds);
    case "union":
      return (
        type.variants.length === 0 ||
        type.variants.some((variant) => variant.fields.every(fieldEnds))
      );
  }
}
