/** What an operation's input schema says of one field, as far as the command line needs it. */
export interface InputField {
  readonly name: string;
  readonly kind: "string" | "integer" | "boolean" | "strings" | "json";
  readonly required: boolean;
  readonly description: string;
  readonly bounds: string;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function follow(root: unknown, schema: unknown): Readonly<Record<string, unknown>> {
  let current = schema;
  for (let hops = 0; hops < 16; hops += 1) {
    if (!isRecord(current)) return {};
    const reference = current["$ref"];
    if (typeof reference !== "string" || !reference.startsWith("#/")) return current;
    const { $ref: _, ...beside } = current;
    const target = reference
      .slice(2)
      .split("/")
      .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root);
    current = isRecord(target) ? { ...target, ...beside } : {};
  }
  return {};
}

function kindOf(root: unknown, schema: Readonly<Record<string, unknown>>): InputField["kind"] {
  switch (schema["type"]) {
    case "string":
      return "string";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    case "array":
      return follow(root, schema["items"])["type"] === "string" ? "strings" : "json";
    default:
      return "json";
  }
}

/** `1 to 63 characters`; one end alone where there is no other. */
function rangeOf(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [least, most].map((end) => (typeof end === "number" ? String(end) : null));
  if (from === null && to === null) return "";
  const range =
    from === null ? `at most ${to}` : to === null ? `at least ${from}` : `${from} to ${to}`;
  return `${range} ${unit}`.trimEnd();
}

function boundsOf(schema: Readonly<Record<string, unknown>>): string {
  const { default: implied } = schema;
  return [
    rangeOf(schema["minimum"], schema["maximum"], ""),
    rangeOf(schema["minLength"], schema["maxLength"], "characters"),
    rangeOf(schema["minItems"], schema["maxItems"], "elements"),
    implied === undefined ? "" : `${JSON.stringify(implied)} when left out`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** The fields of a closed object's JSON Schema, in their order. */
export function readInputFields(schema: unknown): readonly InputField[] {
  const object = follow(schema, schema);
  const required = Array.isArray(object["required"]) ? object["required"] : [];
  const properties = isRecord(object["properties"]) ? object["properties"] : {};
  return Object.entries(properties).map(([name, raw]) => {
    const property = follow(schema, raw);
    const description = property["description"];
    return {
      name,
      kind: kindOf(schema, property),
      required: required.includes(name),
      description: typeof description === "string" ? description : "",
      bounds: boundsOf(property),
    };
  });
}
