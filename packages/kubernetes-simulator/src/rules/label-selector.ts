import { describeGoValue } from "../go-format.js";
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from "../json-value.js";

type Labels = { readonly [key: string]: string };

/** Whether `labels` match a LabelSelector; the empty selector matches all, as in the API. */
export function matchesLabelSelector(selector: JsonObject, labels: Labels): boolean {
  const wanted = Object.entries(objectAt(selector, "matchLabels"));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    arrayAt(selector, "matchExpressions")
      .filter(isJsonObject)
      .every((expression) => matchesExpression(expression, labels))
  );
}

/** Whether a selector selects by nothing at all. */
export function isEmptySelector(selector: JsonObject): boolean {
  return (
    Object.keys(objectAt(selector, "matchLabels")).length === 0 &&
    arrayAt(selector, "matchExpressions").length === 0
  );
}

/** A selector as one line: `app=api,tier in (a,b)`. */
export function describeLabelSelector(selector: JsonObject): string {
  const labels = Object.entries(objectAt(selector, "matchLabels"))
    .map(([key, value]) => `${key}=${describeGoValue(value)}`)
    .toSorted();
  const expressions = arrayAt(selector, "matchExpressions")
    .filter(isJsonObject)
    .map(describeExpression);
  return [...labels, ...expressions].join(",");
}

function matchesExpression(expression: JsonObject, labels: Labels): boolean {
  const value = labels[stringAt(expression, "key")];
  const values = arrayAt(expression, "values");
  switch (stringAt(expression, "operator")) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}

function describeExpression(expression: JsonObject): string {
  const key = stringAt(expression, "key");
  const values = arrayAt(expression, "values").map(describeGoValue).join(",");
  switch (stringAt(expression, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}
