/** Any value that JSON can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** The constant as a `T`, which the model toolchain has checked it to be; for generated code. */
export function trusted<T>(constant: unknown): T {
  return constant as T;
}

/** The deepest nesting of arrays and objects that a value may have. */
export const jsonDepthMax = 64;
