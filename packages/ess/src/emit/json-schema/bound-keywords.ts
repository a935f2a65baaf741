import type { BoundIr, BoundsIr, RangeIr, TypeExpressionIr } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";
import { alphabetPattern } from "../alphabet.js";
import type { Json } from "./expression-schema.js";

/**
 * The keywords of bounds. What the standard says exactly is said with it; byte counts are said
 * twice: as far as lengths can, and exactly under an `x-ess-…` keyword.
 */
export function boundKeywords(bounds: BoundsIr, type: TypeExpressionIr): Json {
  const items = type.kind === "map" ? ["minProperties", "maxProperties"] : ["minItems", "maxItems"];
  const keywords: Record<string, JsonData> = {};
  const set = (name: string | undefined, bound: BoundIr | undefined): void => {
    if (name !== undefined && bound !== undefined) keywords[name] = bound.value;
  };
  if (type.kind === "primitive" && type.name === "Int64") {
    if (bounds.min !== undefined) keywords["x-ess-int64-minimum"] = String(bounds.min.value);
    if (bounds.max !== undefined) keywords["x-ess-int64-maximum"] = String(bounds.max.value);
  } else {
    set("minimum", bounds.min);
    set("maximum", bounds.max);
  }
  set(items[0], bounds.items?.min);
  set(items[1], bounds.items?.max);
  Object.assign(keywords, lengthKeywords(bounds));
  if (bounds.pattern !== undefined) keywords["pattern"] = bounds.pattern;
  if (bounds.alphabet !== undefined) {
    keywords["allOf"] = [{ pattern: alphabetPattern(bounds.alphabet) }];
  }
  if (bounds.totalBytes !== undefined) {
    keywords["x-ess-total-bytes"] = rangeOf(bounds.totalBytes);
  }
  if (bounds.distinct) keywords["uniqueItems"] = true;
  if (bounds.sorted) keywords["x-ess-sorted"] = true;
  return keywords;
}

// A text of N bytes has at most N characters, and at least one if it has a byte.
function lengthKeywords({ length, bytes }: BoundsIr): Json {
  const min = largerOf(length?.min?.value, bytes?.min === undefined ? undefined : 1);
  const max = smallerOf(length?.max?.value, bytes?.max?.value);
  const atLeastOne = bytes?.min?.value === 0 ? length?.min?.value : min;
  return {
    ...(atLeastOne === undefined ? {} : { minLength: atLeastOne }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(bytes === undefined ? {} : { "x-ess-bytes": rangeOf(bytes) }),
  };
}

function rangeOf({ min, max }: RangeIr): Json {
  return {
    ...(min === undefined ? {} : { min: min.value }),
    ...(max === undefined ? {} : { max: max.value }),
  };
}

type Size = number | bigint | undefined;

function largerOf(left: Size, right: Size): Size {
  if (left === undefined || right === undefined) return left ?? right;
  return left > right ? left : right;
}

function smallerOf(left: Size, right: Size): Size {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}
