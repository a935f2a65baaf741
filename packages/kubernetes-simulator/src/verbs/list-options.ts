import { isTrue } from "../http/request-info.js";
import { describeVersionError, parseVersion } from "../objects/resource-version.js";
import { badRequest, bareError, invalidOptions } from "../refusals.js";
import { forbidden, unsupported, type FieldError } from "../rules/field-error.js";
import { accept, refuse, type Verdict } from "../verdict.js";

/** The query of a list or a watch. */
export interface ListOptions {
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  /** Undefined when none was given. */
  readonly version: number | undefined;
  readonly match: "" | "Exact" | "NotOlderThan";
  readonly timeoutMs: number | undefined;
  readonly allowBookmarks: boolean;
  /** Undefined when the query says nothing of it. */
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads the query of a list or a watch. */
export function parseListOptions(query: URLSearchParams, watch: boolean): Verdict<ListOptions> {
  const limit = parseInteger(query.get("limit"));
  if (!limit.ok) return limit;
  const timeout = parseInteger(query.get("timeoutSeconds"));
  if (!timeout.ok) return timeout;
  const sendInitialEvents = query.get("sendInitialEvents");
  const match = query.get("resourceVersionMatch") ?? "";
  const text = query.get("resourceVersion") ?? "";
  const errors = checkMatch({ match, text, sendInitialEvents, watch });
  if (errors.length > 0) return refuse(invalidOptions("ListOptions", errors));
  const version = parseQueryVersion(text, watch ? "" : "invalid resource version: ");
  if (!version.ok) return version;
  return accept({
    limit: Math.max(0, limit.value ?? 0),
    continueToken: query.get("continue") ?? "",
    version: version.value,
    match: match === "Exact" || match === "NotOlderThan" ? match : "",
    // 0 asks for the server's own timeout.
    timeoutMs: (timeout.value ?? 0) <= 0 ? undefined : (timeout.value ?? 0) * 1_000,
    allowBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents: sendInitialEvents === null ? undefined : isTrue(sendInitialEvents),
  });
}

/**
 * The version in a query; a list answers text that is none with 400 and this prefix, everything
 * else, without one, with a bare 500.
 */
export function parseQueryVersion(text: string, prefix = ""): Verdict<number | undefined> {
  if (text === "") return accept(undefined);
  const version = parseVersion(text);
  if (version !== undefined) return accept(Number(version));
  const shown = JSON.stringify(text);
  const why = `resourceVersion: Invalid value: ${shown}: ${describeVersionError(text)}`;
  return refuse(prefix === "" ? bareError(why) : badRequest(`${prefix}${why}`));
}

function checkMatch(given: {
  readonly match: string;
  readonly text: string;
  readonly sendInitialEvents: string | null;
  readonly watch: boolean;
}): readonly FieldError[] {
  const { match, text, sendInitialEvents, watch } = given;
  const field = "resourceVersionMatch";
  if (watch && sendInitialEvents !== null && match !== "NotOlderThan") {
    return [
      forbidden(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
    ];
  }
  const initial =
    !watch && sendInitialEvents !== null
      ? [forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")]
      : [];
  if (match === "") return initial;
  if (watch && sendInitialEvents === null) {
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    return [forbidden(field, why)];
  }
  if (!watch && text === "") {
    const why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
    return [forbidden(field, why), ...initial];
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    return [unsupported(field, match, ["Exact", "NotOlderThan", ""])];
  }
  if (match === "Exact" && /^0+$/u.test(text)) {
    return [forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  return initial;
}

function parseInteger(text: string | null): Verdict<number | undefined> {
  if (text === null || text === "") return accept(undefined);
  if (/^-?[0-9]{1,15}$/u.test(text)) return accept(Number(text));
  const why = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
  return refuse(badRequest(why));
}
