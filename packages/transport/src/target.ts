import { pathBytesMax, queryBytesMax, segmentsMax } from "@connectors/domain";
import { fail, succeed, type HttpTarget, type Outcome, type Query } from "@connectors/sdk";
import type { BaseUrl } from "./base-url.js";

const unreserved = /^[A-Za-z0-9._~-]*$/;
// In a `u` pattern a pair is one code point, so this finds only halves without their other half.
const loneSurrogate = /\p{Surrogate}/u;

/**
 * The request target of `target` below the base path, with its query.
 *
 * Everything but unreserved characters is percent-encoded, so that a segment stays one segment
 * and no URL parser on the way finds anything to normalise.
 */
export function encodeTarget(base: BaseUrl, target: HttpTarget): Outcome<string> {
  const path = encodeSegments(target.segments);
  if (!path.ok) return path;
  const whole = base.path + path.value;
  if (whole.length > pathBytesMax) {
    return fail("capacity", "The path of the request is longer than its bound.");
  }
  const query = encodeQuery(target.query ?? []);
  if (!query.ok) return query;
  return succeed(query.value === "" ? whole : `${whole}?${query.value}`);
}

function encodeSegments(segments: readonly string[]): Outcome<string> {
  if (segments.length > segmentsMax) {
    return fail("capacity", "The path of the request has more segments than its bound.");
  }
  const encoded: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === "." || segment === "..") {
      return fail("invalid_input", "A path segment is empty or names another place.");
    }
    if (loneSurrogate.test(segment)) {
      return fail("invalid_input", "A path segment is not well-formed Unicode.");
    }
    encoded.push(encodeComponent(segment));
  }
  return succeed(encoded.join("/"));
}

function encodeQuery(query: Query): Outcome<string> {
  const encoded: string[] = [];
  let bytes = 0;
  for (const [name, value] of query) {
    if (name === "" || loneSurrogate.test(name) || loneSurrogate.test(value)) {
      return fail("invalid_input", "A query name is empty, or a pair is not well-formed Unicode.");
    }
    const pair = `${encodeComponent(name)}=${encodeComponent(value)}`;
    bytes += pair.length + 1;
    if (bytes > queryBytesMax + 1) {
      return fail("capacity", "The query of the request is longer than its bound.");
    }
    encoded.push(pair);
  }
  return succeed(encoded.join("&"));
}

/** Leaves only RFC 3986's unreserved characters as they are. */
function encodeComponent(text: string): string {
  if (unreserved.test(text)) return text;
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
