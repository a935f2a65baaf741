import type { SystemIr } from "../ir/ir.js";
import { underlying } from "../ir/rule-paths.js";
import type {
  BoundsIr,
  FieldIr,
  Primitive,
  RangeIr,
  TypeExpressionIr,
  TypeIr,
} from "../ir/type-ir.js";
import { type CheckContext, reportAt } from "./check-context.js";
import { faultsOf } from "./value-faults.js";

/** Refuses types that bound what cannot be bounded, or that contradict themselves. */
export function checkTypes(context: CheckContext): void {
  for (const type of context.ir.domains.flatMap((domain) => domain.types)) checkType(context, type);
}

function checkType(context: CheckContext, type: TypeIr): void {
  switch (type.kind) {
    case "newtype":
      checkBounds(context, type, type.of, type.bounds);
      break;
    case "enum":
      if (type.values.length === 0 && type.derived === undefined) {
        reportAt(context, "ESS-TYPE-010", type, `'${type.name}' has no values`);
      }
      break;
    case "struct":
      checkFields(context, type.fields);
      checkRange(context, type.bytes);
      break;
    case "union":
      if (type.variants.length === 0) {
        reportAt(context, "ESS-TYPE-010", type, `'${type.name}' has no variants`);
      }
      checkRange(context, type.bytes);
      for (const variant of type.variants) {
        checkFields(context, variant.fields);
        const clash = variant.fields.find(({ name }) => name === type.tag);
        if (clash === undefined) continue;
        const message = `'${type.tag}' is already the tag of '${type.name}'`;
        reportAt(context, "ESS-TYPE-011", clash, message);
      }
  }
}

function checkFields(context: CheckContext, fields: readonly FieldIr[]): void {
  for (const field of fields) {
    checkBounds(context, field, field.type, field.bounds);
    if (field.default === undefined) continue;
    if (field.presence !== "omitted") {
      const message = `only a member that may be omitted has a default; '${field.name}' may not`;
      reportAt(context, "ESS-TYPE-012", field, message);
    }
    const [fault] = faultsOf(context.ir, field.type, field.bounds, field.default);
    if (fault === undefined) continue;
    const message = `the default of '${field.name}' breaks '${fault.rule}'`;
    reportAt(context, "ESS-TYPE-012", field, message);
  }
}

type Boundable = "number" | "int64" | "text" | "bytes" | "list" | "map" | "other";

const takes: Readonly<Record<keyof BoundsIr, readonly Boundable[]>> = {
  min: ["number", "int64"],
  max: ["number", "int64"],
  length: ["text", "bytes"],
  bytes: ["text", "bytes"],
  pattern: ["text"],
  alphabet: ["text"],
  items: ["list", "map"],
  totalBytes: ["list"],
  distinct: ["list"],
  sorted: ["list"],
};

function checkBounds(
  context: CheckContext,
  node: TypeIr | FieldIr,
  type: TypeExpressionIr,
  bounds: BoundsIr,
): void {
  const { ir } = context;
  const kind = boundableOf(ir, type);
  for (const [name, kinds] of Object.entries(takes)) {
    const bound = bounds[name as keyof BoundsIr];
    if (bound === undefined || bound === false || kinds.includes(kind)) continue;
    const word = name === "totalBytes" ? "total_bytes" : name;
    const message = `'${word}' does not bound the type of '${node.name}'`;
    reportAt(context, "ESS-TYPE-004", node, message);
  }
  checkItems(context, node, type, bounds);
  checkMapKeys(context, type);
  for (const range of [bounds.length, bounds.bytes, bounds.items, bounds.totalBytes]) {
    checkRange(context, range);
  }
  const { min, max } = bounds;
  if (min !== undefined && max !== undefined && min.value > max.value) {
    reportAt(
      context,
      "ESS-TYPE-005",
      min,
      `the minimum ${min.value} is above the maximum ${max.value}`,
    );
  }
  if (bounds.pattern !== undefined && !isPattern(bounds.pattern)) {
    reportAt(
      context,
      "ESS-TYPE-006",
      node,
      `the pattern of '${node.name}' is no regular expression`,
    );
  }
  if (bounds.alphabet === "") {
    reportAt(context, "ESS-TYPE-006", node, `the alphabet of '${node.name}' is empty`);
  }
}

function checkItems(
  context: CheckContext,
  node: TypeIr | FieldIr,
  type: TypeExpressionIr,
  bounds: BoundsIr,
): void {
  const base = underlying(context.ir, type);
  if (base.kind !== "list") return;
  const item = boundableOf(context.ir, base.of);
  if (bounds.sorted && item === "other") {
    const message = `the items of '${node.name}' have no order, so they cannot be sorted`;
    reportAt(context, "ESS-TYPE-004", node, message);
  }
  if (bounds.totalBytes !== undefined && item !== "text" && item !== "bytes") {
    const message = `the items of '${node.name}' are not texts, so they have no bytes in all`;
    reportAt(context, "ESS-TYPE-004", node, message);
  }
}

function checkMapKeys(context: CheckContext, type: TypeExpressionIr): void {
  if (type.kind === "list") checkMapKeys(context, type.of);
  if (type.kind !== "map") return;
  checkMapKeys(context, type.of);
  const key = underlying(context.ir, type.key);
  const named = key.kind === "named";
  if (named || boundableOf(context.ir, key) === "text") return;
  reportAt(context, "ESS-TYPE-008", type, "the keys of a map are texts or the values of an enum");
}

function checkRange(context: CheckContext, range: RangeIr | undefined): void {
  if (range === undefined) return;
  const { min, max } = range;
  if (min !== undefined && max !== undefined && min.value > max.value) {
    reportAt(
      context,
      "ESS-TYPE-005",
      range,
      `the minimum ${min.value} is above the maximum ${max.value}`,
    );
  }
  if ((min?.value ?? 0) < 0 || (max?.value ?? 0) < 0) {
    reportAt(context, "ESS-TYPE-005", range, "a size is not negative");
  }
}

function boundableOf(ir: SystemIr, type: TypeExpressionIr): Boundable {
  const base = underlying(ir, type);
  if (base.kind === "list" || base.kind === "map") return base.kind;
  return base.kind === "primitive" ? primitives[base.name] : "other";
}

const primitives: Readonly<Record<Primitive, Boundable>> = {
  String: "text",
  Boolean: "other",
  Integer: "number",
  Int64: "int64",
  Timestamp: "number",
  Duration: "number",
  Uuid: "text",
  Bytes: "bytes",
  Json: "other",
};

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u").source !== "";
  } catch {
    return false;
  }
}
