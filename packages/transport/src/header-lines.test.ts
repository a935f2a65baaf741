import { describe, expect, test } from "vitest";
import { headerBytesMax, headerCountMax } from "@connectors/domain";
import { isHeaderValue, isToken, readHeaderLines } from "./header-lines.js";
import { given, summary } from "./testing/test-scope.js";

describe("header lines", () => {
  test("are read by lower-case name, repeated ones joined, whatever their form", () => {
    const headers = given(readHeaderLines(["X-A", "1", Buffer.from("x-a"), Buffer.from("2")]));
    expect([...headers]).toEqual([["x-a", "1, 2"]]);
  });

  test("may be as many as their bound, and not one more", () => {
    const most = Array.from({ length: headerCountMax * 2 }, () => "a");
    expect(given(readHeaderLines(most)).size).toBe(1);
    expect(summary(readHeaderLines([...most, "a", "a"]))).toBe("capacity");
  });

  test("may have as many bytes as their bound, and not one more", () => {
    const value = "v".repeat(headerBytesMax - 1);
    expect(given(readHeaderLines(["n", value])).get("n")).toHaveLength(headerBytesMax - 1);
    expect(summary(readHeaderLines(["n", `${value}v`]))).toBe("capacity");
  });

  test("named like members of an object are headers like others", () => {
    const headers = given(readHeaderLines(["__proto__", "1", "constructor", "2"]));
    expect(headers.get("__proto__")).toBe("1");
    expect(headers.get("constructor")).toBe("2");
  });

  test("have names that are tokens and values that are visible", () => {
    expect(["a", "X-1", "v4.channel.k8s.io"].every(isToken)).toBe(true);
    expect(["", "a b", "a,b", "a:b", "a\r\nb", "ü"].some(isToken)).toBe(false);
    expect(["a", "a b", "application/json;as=Table"].every(isHeaderValue)).toBe(true);
    expect(["", " a", "a ", "a\nb", "a\0b", "ü"].some(isHeaderValue)).toBe(false);
  });
});
