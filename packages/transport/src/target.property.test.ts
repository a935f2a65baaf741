import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathBytesMax, queryBytesMax, segmentsMax } from "@connectors/domain";
import { parseBaseUrl } from "./base-url.js";
import { encodeTarget } from "./target.js";
import { given, summary } from "./testing/test-scope.js";

const base = given(parseBaseUrl("https://h/base/", { allowPlaintext: false }));
const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const segment = text.filter((s) => s !== "." && s !== ".." && !/\p{Surrogate}/u.test(s));
const wellFormed = fc.string({ unit: "binary", maxLength: 40 });

describe("a target", () => {
  test("decodes, segment by segment, to what was given", () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: segmentsMax }), (segments) => {
        const path = given(encodeTarget(base, { segments }));
        const below = path.slice(base.path.length);
        const decoded = below === "" ? [] : below.split("/").map(decodeURIComponent);
        expect(decoded).toEqual(segments);
      }),
    );
  });

  test("is left as it is by a URL parser, and so cannot leave its base", () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: segmentsMax }),
        fc.array(fc.tuple(segment, wellFormed), { maxLength: 5 }),
        (segments, query) => {
          const target = given(encodeTarget(base, { segments, query }));
          const url = new URL(`https://h${target}`);
          expect(url.pathname + url.search).toBe(target);
          expect(url.pathname.startsWith(base.path)).toBe(true);
          expect(url.host).toBe("h");
        },
      ),
    );
  });

  test("gives a form parser the query pairs in their order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(segment, wellFormed), { maxLength: 8 }), (query) => {
        const target = given(encodeTarget(base, { segments: ["a"], query }));
        const [, encoded = ""] = target.split("?");
        expect([...new URLSearchParams(encoded)]).toEqual(query);
      }),
    );
  });

  test("refuses half of a surrogate pair, and a nameless query pair", () => {
    const half = "\ud800";
    expect(summary(encodeTarget(base, { segments: [half] }))).toBe("invalid_input");
    for (const pair of [["", "v"] as const, [half, "v"] as const, ["n", half] as const]) {
      const target = { segments: ["a"], query: [pair] };
      expect(summary(encodeTarget(base, target))).toBe("invalid_input");
    }
  });

  test("has at most its bound of path bytes, the base included", () => {
    const longest = "a".repeat(pathBytesMax - base.path.length);
    expect(given(encodeTarget(base, { segments: [longest] }))).toHaveLength(pathBytesMax);
    expect(summary(encodeTarget(base, { segments: [`${longest}a`] }))).toBe("capacity");
  });

  test("has at most its bound of query bytes, encoded, over all pairs", () => {
    const half = "v".repeat(queryBytesMax / 2 - 3);
    const fits = [["a", `${half}v`] as const, ["b", half] as const];
    const encoded = given(encodeTarget(base, { segments: ["a"], query: fits })).split("?")[1];
    expect(encoded).toHaveLength(queryBytesMax);
    const query = [...fits, ["c", ""] as const];
    expect(summary(encodeTarget(base, { segments: ["a"], query }))).toBe("capacity");
    const wide = [["a", `${half}${half}`.replaceAll("v", "é")] as const];
    expect(summary(encodeTarget(base, { segments: ["a"], query: wide }))).toBe("capacity");
  });
});
