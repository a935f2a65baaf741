import { invalid, required, type FieldError } from "./field-error.js";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const QUALIFIED = String.raw`([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`;
const LABEL_VALUE = `(${QUALIFIED})?`;

/** The error of `name` unless it is a DNS-1123 subdomain of at most 253 letters. */
export function checkSubdomain(field: string, name: string): readonly FieldError[] {
  if (name.length > 253) return [tooLong(field, 253)];
  if (new RegExp(`^${SUBDOMAIN}$`, "u").test(name)) return [];
  return [
    invalid(
      field,
      name,
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' " +
        "or '.', and must start and end with an alphanumeric character " +
        `(e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
    ),
  ];
}

/** The error of `name` unless it is a DNS-1123 label of at most 63 letters. */
export function checkLabelName(field: string, name: string): readonly FieldError[] {
  if (name.length > 63) return [tooLong(field, 63)];
  if (new RegExp(`^${LABEL}$`, "u").test(name)) return [];
  if (new RegExp(`^${SUBDOMAIN}$`, "u").test(name)) {
    return [invalid(field, name, "must not contain dots")];
  }
  return [
    invalid(
      field,
      name,
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'," +
        " and must start and end with an alphanumeric character " +
        `(e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    ),
  ];
}

/** The errors of the keys and values of a map of labels. */
export function checkLabels(
  field: string,
  labels: { readonly [key: string]: string } | undefined,
): readonly FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...checkQualifiedName(field, key),
    ...checkLabelValue(field, value),
  ]);
}

/** The errors of the keys of a map of annotations, and of its size. */
export function checkAnnotations(
  field: string,
  annotations: { readonly [key: string]: string } | undefined,
): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const errors = entries.flatMap(([key]) => checkQualifiedName(field, key.toLowerCase()));
  return bytes > ANNOTATION_BYTES_MAX ? [...errors, tooLong(field, ANNOTATION_BYTES_MAX)] : errors;
}

// The server's own limit on all annotations of one object together.
const ANNOTATION_BYTES_MAX = 262_144;

function checkQualifiedName(field: string, key: string): readonly FieldError[] {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const errors = prefix === undefined ? [] : checkSubdomain(field, prefix);
  if (name.length === 0 || name.length > 63 || !new RegExp(`^${QUALIFIED}$`, "u").test(name)) {
    return [
      ...errors,
      invalid(
        field,
        key,
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and " +
          "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', " +
          `regex used for validation is '${QUALIFIED}')`,
      ),
    ];
  }
  return errors;
}

function checkLabelValue(field: string, value: string): readonly FieldError[] {
  if (value.length > 63) return [invalid(field, value, "must be no more than 63 bytes")];
  if (new RegExp(`^${LABEL_VALUE}$`, "u").test(value)) return [];
  return [
    invalid(
      field,
      value,
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or " +
        "'.', and must start and end with an alphanumeric character " +
        "(e.g. 'MyValue',  or 'my_value',  or '12345', " +
        `regex used for validation is '${LABEL_VALUE}')`,
    ),
  ];
}

/** The error of an object without a name. */
export function missingName(): FieldError {
  return required("metadata.name", "name or generateName is required");
}

function tooLong(field: string, max: number): FieldError {
  return {
    reason: "FieldValueTooLong",
    field,
    message: `Too long: may not be more than ${max} bytes`,
  };
}
