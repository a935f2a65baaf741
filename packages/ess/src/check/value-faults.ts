import { type SystemIr, typeOf } from "../ir/ir.js";
import type { BoundsIr, FieldIr, TypeExpressionIr, TypeIr } from "../ir/type-ir.js";
import { unbounded } from "../ir/type-ir.js";
import { type JsonData, isJsonRecord } from "../shape/json-node.js";
import { boundFaults } from "./bound-faults.js";
import { ruleHolds } from "./rule-holds.js";

/** One way in which a value of the model does not fit its type. */
export interface ValueFault {
  readonly path: string;
  readonly rule: string;
}

/** Why `value` is none of `type` within `bounds`; nothing when it is one. */
export function faultsOf(
  ir: SystemIr,
  type: TypeExpressionIr,
  bounds: BoundsIr,
  value: JsonData,
  path = "",
): readonly ValueFault[] {
  const own = expressionFaults(ir, type, value, path);
  if (own.length > 0) return own;
  return boundFaults(bounds, value, type).map((rule) => ({ path, rule }));
}

function expressionFaults(
  ir: SystemIr,
  type: TypeExpressionIr,
  value: JsonData,
  path: string,
): readonly ValueFault[] {
  const fault = (rule: string): readonly ValueFault[] => [{ path, rule }];
  switch (type.kind) {
    case "primitive":
      return isPrimitive[type.name](value) ? [] : fault("type");
    case "const":
      return value === type.value ? [] : fault("const");
    case "named":
      return typeFaults(ir, typeOf(ir, type), value, path);
    case "list":
      if (!Array.isArray(value)) return fault("type");
      return (value as readonly JsonData[]).flatMap((item, index) =>
        faultsOf(ir, type.of, unbounded, item, `${path}/${index}`),
      );
    case "map":
      if (!isJsonRecord(value)) return fault("type");
      return Object.entries(value).flatMap(([key, member]) => [
        ...faultsOf(ir, type.key, unbounded, key, `${path}/${key}`),
        ...faultsOf(ir, type.of, unbounded, member, `${path}/${key}`),
      ]);
  }
}

function typeFaults(
  ir: SystemIr,
  type: TypeIr,
  value: JsonData,
  path: string,
): readonly ValueFault[] {
  switch (type.kind) {
    case "newtype":
      return faultsOf(ir, type.of, type.bounds, value, path);
    case "enum":
      return type.values.some((word) => word.value === value) ? [] : [{ path, rule: "enum" }];
    case "struct":
      return recordFaults(ir, undefined, type, value, path);
    case "union": {
      if (!isJsonRecord(value)) return [{ path, rule: "type" }];
      const variant = type.variants.find(({ tag }) => tag === value[type.tag]);
      if (variant === undefined) {
        const rule = Object.hasOwn(value, type.tag) ? "tag" : "missing";
        return [{ path: `${path}/${type.tag}`, rule }];
      }
      return recordFaults(ir, type.tag, variant, value, path);
    }
  }
}

function recordFaults(
  ir: SystemIr,
  tag: string | undefined,
  record: Pick<TypeIr & { kind: "struct" }, "fields" | "invariants">,
  value: JsonData,
  path: string,
): readonly ValueFault[] {
  if (!isJsonRecord(value)) return [{ path, rule: "type" }];
  const known = new Set(record.fields.map(({ name }) => name));
  const unknown = Object.keys(value)
    .filter((name) => !known.has(name) && name !== tag)
    .map((name) => ({ path: `${path}/${name}`, rule: "unknown_member" }));
  const members = record.fields.flatMap((field) => memberFaults(ir, field, value, path));
  const faults = [...unknown, ...members];
  if (faults.length > 0) return faults;
  return record.invariants
    .filter((invariant) => !ruleHolds(invariant.rule, value))
    .map(({ id }) => ({ path, rule: id }));
}

function memberFaults(
  ir: SystemIr,
  field: FieldIr,
  value: Readonly<Record<string, JsonData>>,
  path: string,
): readonly ValueFault[] {
  const at = `${path}/${field.name}`;
  const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
  if (member === undefined) {
    return field.presence === "omitted" ? [] : [{ path: at, rule: "missing" }];
  }
  if (member === null && field.presence === "nullable") return [];
  return faultsOf(ir, field.type, field.bounds, member, at);
}

const isCount = (value: JsonData): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: JsonData): value is string => typeof value === "string";

const isPrimitive = {
  String: isText,
  Boolean: (value: JsonData): boolean => typeof value === "boolean",
  Integer: (value: JsonData): boolean => Number.isSafeInteger(value),
  Int64: (value: JsonData): boolean =>
    isText(value) &&
    /^(?:0|-?[1-9][0-9]{0,18})$/.test(value) &&
    BigInt.asIntN(64, BigInt(value)) === BigInt(value),
  Timestamp: isCount,
  Duration: isCount,
  Uuid: (value: JsonData): boolean =>
    isText(value) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  Bytes: (value: JsonData): boolean =>
    isText(value) && Buffer.from(value, "base64url").toString("base64url") === value,
  Json: (): boolean => true,
} as const;
