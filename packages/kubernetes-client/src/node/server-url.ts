import { fail, succeed, type Outcome } from "@connectors/sdk";

/** One server's address in its one spelling. */
export interface ServerUrl {
  /** As the file has it. */
  readonly given: string;
  /** Scheme, host, port (always written) and base path, which ends in `/`. */
  readonly baseUrl: string;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly pathPrefix: string;
}

// No user info, query or fragment; no white space or backslash, which a URL parser would rewrite.
const plainUrl = /^https?:\/\/[^\s\\@?#]+$/i;
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The address of an API server. `invalid_input` for anything but an absolute https URL without
 * user info, query, fragment and dot segments.
 */
export function parseServerUrl(text: string): Outcome<ServerUrl> {
  if (!plainUrl.test(text) || dotSegment.test(text) || !URL.canParse(text)) {
    return fail("invalid_input", "the server is not an absolute https URL");
  }
  const url = new URL(text);
  if (url.protocol !== "https:") {
    return fail("invalid_input", "the server is not https", {
      hint: "No credential is sent in the clear: use the cluster's https address.",
    });
  }
  const port = url.port === "" ? "443" : url.port;
  const pathPrefix = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return succeed({
    given: text,
    baseUrl: `https://${url.hostname}:${port}${pathPrefix}`,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    pathPrefix,
  });
}
