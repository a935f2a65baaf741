import type { StatusCause } from "../status.js";
import type { JsonValue } from "../json-value.js";

/** One thing that is wrong with an object, in the server's own vocabulary. */
export interface FieldError {
  readonly reason:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueNotSupported"
    | "FieldValueForbidden"
    | "FieldValueTooLong";
  readonly field: string;
  /** What follows the field's name: "Required value", "Invalid value: 3: must be …". */
  readonly message: string;
}

/** The error of a field that must have a value. */
export function required(field: string, detail = ""): FieldError {
  return {
    reason: "FieldValueRequired",
    field,
    message: detail === "" ? "Required value" : `Required value: ${detail}`,
  };
}

/** The error of a field whose `value` breaks a rule. */
export function invalid(field: string, value: JsonValue, detail: string): FieldError {
  return {
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
  };
}

/** The error of a field that changed and must not. */
export function immutable(field: string, value: JsonValue): FieldError {
  return invalid(field, value, "field is immutable");
}

/** The error of a field that must not be set in this combination. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: `Forbidden: ${detail}` };
}

/** The error of a `value` outside a closed set. */
export function unsupported(
  field: string,
  value: JsonValue,
  supported: readonly string[],
): FieldError {
  const choices = supported.map((choice) => JSON.stringify(choice)).join(", ");
  return {
    reason: "FieldValueNotSupported",
    field,
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${choices}`,
  };
}

/** The causes of a Status, one an error. */
export function causesOf(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.map(({ reason, message, field }) => ({ reason, message, field }));
}

/** The errors in one line: one stands alone, several in brackets, equal ones once. */
export function describeErrors(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return lines.length === 1 ? (lines[0] ?? "") : `[${lines.join(", ")}]`;
}
