/** A request's target, taken apart. */
export interface RequestTarget {
  /** As it was sent. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** Decoded, so that `%2f` is a slash, as it is to the real server. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The parts of `url`; undefined for a path that cannot be decoded. */
export function parseRequestTarget(url: string): RequestTarget | undefined {
  const at = url.indexOf("?");
  const rawPath = at < 0 ? url : url.slice(0, at);
  const rawQuery = at < 0 ? "" : url.slice(at + 1);
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  return { rawPath, rawQuery, path, query: new URLSearchParams(rawQuery) };
}
