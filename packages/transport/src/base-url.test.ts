import { describe, expect, test } from "vitest";
import { baseUrlBytesMax } from "@connectors/domain";
import { parseBaseUrl } from "./base-url.js";
import { given, summary } from "./testing/test-scope.js";

const strict = { allowPlaintext: false };

describe("a base URL", () => {
  test("gives its origin, host, port and a path that ends in a slash", () => {
    expect(given(parseBaseUrl("https://cluster.test/k8s/clusters/a", strict))).toEqual({
      origin: "https://cluster.test",
      secure: true,
      host: "cluster.test",
      port: 443,
      authority: "cluster.test:443",
      path: "/k8s/clusters/a/",
    });
    expect(given(parseBaseUrl("https://h:6443", strict)).path).toBe("/");
  });

  test("keeps the brackets of an IPv6 address out of its host", () => {
    const base = given(parseBaseUrl("https://[::1]:6443/", strict));
    expect([base.host, base.authority]).toEqual(["::1", "[::1]:6443"]);
  });

  test("is http only where plaintext is allowed", () => {
    expect(summary(parseBaseUrl("http://h/", strict))).toBe("invalid_input");
    expect(given(parseBaseUrl("http://h/", { allowPlaintext: true })).port).toBe(80);
  });

  test.each([
    ["another scheme", "ftp://h/"],
    ["no scheme", "h:6443"],
    ["no host", "https://"],
    ["a user", "https://ada@h/"],
    ["a password", "https://ada:secret@h/"],
    ["an empty user", "https://@h/"],
    ["a query", "https://h/?a=b"],
    ["an empty query", "https://h/?"],
    ["a fragment", "https://h/#a"],
    ["a backslash", "https://h\\@evil.test/"],
    ["a blank", "https://h/ a"],
    ["a line end", "https://h/\n"],
    ["a letter outside ASCII", "https://clüster.test/"],
    ["nothing", ""],
  ])("with %s is refused", (_what, url) => {
    expect(summary(parseBaseUrl(url, strict))).toBe("invalid_input");
  });

  test("has at most its bound of bytes", () => {
    const longest = "https://h/".padEnd(baseUrlBytesMax, "a");
    expect(given(parseBaseUrl(longest, strict)).path).toHaveLength(baseUrlBytesMax - 8);
    expect(summary(parseBaseUrl(`${longest}a`, strict))).toBe("invalid_input");
  });
});
