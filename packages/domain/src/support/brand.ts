/** The member that makes a branded type nominal; it exists in types only. */
export declare const brand: unique symbol;

/** A `Base` that has passed the checks of the newtype called `Name`. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
