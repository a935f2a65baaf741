/** Any value that JSON can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** The deepest nesting of arrays and objects that a value may have. */
export const jsonDepthMax = 64;
