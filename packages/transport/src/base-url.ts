import { baseUrlBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** The one origin and base path that a scope reaches. */
export interface BaseUrl {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  readonly secure: boolean;
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** `host:port` as CONNECT wants it, brackets kept. */
  readonly authority: string;
  /** Begins and ends with `/`. */
  readonly path: string;
}

// A URL parser drops tabs and line ends and turns backslashes; none of them belongs in an address.
const plainAddress = /^[\x21-\x5b\x5d-\x7e]+$/;

/**
 * The scope that an address names. Refused as `invalid_input`: another scheme, plain http unless
 * it is allowed, user info, a query, a fragment.
 */
export function parseBaseUrl(
  text: string,
  options: { readonly allowPlaintext: boolean },
): Outcome<BaseUrl> {
  if (text.length > baseUrlBytesMax || !plainAddress.test(text) || !URL.canParse(text)) {
    return fail("invalid_input", "The base URL is not an absolute URL of plain ASCII.");
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return fail("invalid_input", "The base URL is neither https nor http.");
  }
  const secure = url.protocol === "https:";
  if (!secure && !options.allowPlaintext) {
    return fail("invalid_input", "The base URL is not https, and plain http is not allowed here.");
  }
  if (/^[a-z]+:\/\/[^/]*@/i.test(text)) {
    return fail("invalid_input", "The base URL carries user info; a credential belongs elsewhere.");
  }
  if (text.includes("?") || text.includes("#")) {
    return fail("invalid_input", "The base URL carries a query or a fragment.");
  }
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return succeed({
    origin: url.origin,
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    authority: `${url.hostname}:${port}`,
    path: url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`,
  });
}
