import type { DomainShape } from "../shape/domain-shape.js";

/** One domain file on its way to being bound. */
export interface DomainSource {
  /** The stem of every file made from this domain. */
  readonly base: string;
  readonly path: string;
  readonly sha256: string;
  readonly shape: DomainShape;
  /** Every name under `types`, also of types that could not be read. */
  readonly typeNames: readonly string[];
}
