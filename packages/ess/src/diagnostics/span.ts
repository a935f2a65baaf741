/** A stretch of one source file; lines and columns count from 1, offsets from 0. */
export interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

/** A value with the place that it was written at. */
export interface Spanned<T> {
  readonly value: T;
  readonly span: Span;
}
