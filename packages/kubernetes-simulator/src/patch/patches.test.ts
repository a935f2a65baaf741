import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  equalJson,
  freezeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { readSchemas } from "../schema/documents.js";
import type { Schema } from "../schema/schema.js";
import { applyJsonPatch } from "./json-patch.js";
import { applyMergePatch } from "./merge-patch.js";
import { applyStrategicMerge } from "./strategic-merge.js";

// The examples of RFC 7396, appendix A.
const MERGE_EXAMPLES: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

// Those of RFC 6902, appendix A, but for the two whose members JSON.parse cannot tell apart; a
// `replace` of what is missing and indices from the end are as the server's library has them.
const JSON_EXAMPLES: readonly (readonly [JsonValue, readonly JsonValue[], JsonValue])[] = [
  [{ foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  [{ foo: ["a", "c"] }, [{ op: "add", path: "/foo/1", value: "b" }], { foo: ["a", "b", "c"] }],
  [{ baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
  [{ foo: ["a", "b", "c"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["a", "c"] }],
  [{ baz: "q", foo: "b" }, [{ op: "replace", path: "/baz", value: "x" }], { baz: "x", foo: "b" }],
  [
    { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
  ],
  [
    { foo: ["all", "grass", "cows", "eat"] },
    [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    { foo: ["all", "cows", "eat", "grass"] },
  ],
  [{ foo: "b" }, [{ op: "add", path: "/child", value: { g: {} } }], { foo: "b", child: { g: {} } }],
  [{ foo: "bar" }, [{ op: "test", path: "/foo", value: "bar" }], { foo: "bar" }],
  [{ foo: "bar" }, [{ op: "test", path: "/foo", value: "baz" }], "fails"],
  [{ foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }], "fails"],
  [{ "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
  [{ "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }], "fails"],
  [{ foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["x"] }], { foo: ["bar", ["x"]] }],
  [{ foo: "a" }, [{ op: "replace", path: "/bar", value: 1 }], { foo: "a", bar: 1 }],
  [{ foo: [1, 2] }, [{ op: "remove", path: "/foo/-1" }], { foo: [1] }],
  [{ foo: { a: 1 } }, [{ op: "move", from: "/foo", path: "/foo/a" }], "fails"],
  [{ foo: [1] }, [{ op: "add", path: "/foo/3", value: 1 }], "fails"],
  [{ foo: [1] }, [{ op: "add", path: "/foo/01", value: 1 }], "fails"],
  [{ foo: 1 }, [{ op: "copy", from: "/foo", path: "/bar" }], { foo: 1, bar: 1 }],
];

describe("a merge patch", () => {
  it.each(MERGE_EXAMPLES)("of %j by %j gives %j", (target, patch, expected) => {
    expect(applyMergePatch(freezeJson(target), freezeJson(patch))).toEqual(expected);
  });

  it("applied twice gives what it gave once", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = applyMergePatch(target as JsonValue, patch as JsonValue);
        expect(equalJson(applyMergePatch(once, patch as JsonValue), once)).toBe(true);
      }),
    );
  });
});

describe("a JSON patch", () => {
  it.each(JSON_EXAMPLES)("of %j by %j gives %j", (target, operations, expected) => {
    const patched = applyJsonPatch(freezeJson(target), freezeJson([...operations]));
    expect(patched.ok ? patched.value : "fails").toEqual(expected);
  });

  it("applies whole or not at all", () => {
    const target = freezeJson({ a: 1 });
    const operations = [
      { op: "add", path: "/b", value: 2 },
      { op: "test", path: "/a", value: 9 },
    ];
    expect(applyJsonPatch(target, operations)).toEqual({ ok: false, operation: 1 });
    expect(target).toEqual({ a: 1 });
  });
});

const deployment = readSchemas().get("io.k8s.api.apps.v1.Deployment");

function merge(original: JsonObject, patch: JsonObject, schema: Schema = deployment): JsonObject {
  const merged = applyStrategicMerge(freezeJson(original), freezeJson(patch), schema);
  if (!merged.ok) throw new Error(merged.message);
  return merged.value;
}

const containers = fc.uniqueArray(
  fc.record({ name: fc.constantFrom("a", "b", "c", "d"), image: fc.constantFrom("x", "y") }),
  { selector: ({ name }) => name, maxLength: 4 },
);
const wrap = (list: JsonValue): JsonObject => ({
  spec: { template: { spec: { containers: list } } },
});

// Every case of the wire format is held against a recording in `../recorded`; here is what holds
// of all of them.
describe("a strategic merge patch", () => {
  it("applied twice gives what it gave once", () => {
    fc.assert(
      fc.property(containers, containers, (original, patch) => {
        const once = merge(wrap(original), wrap(patch));
        expect(merge(once, wrap(patch))).toEqual(once);
      }),
    );
  });

  it("keeps every element that it doesn't name, in its order, and has each key once", () => {
    fc.assert(
      fc.property(containers, containers, (original, patch) => {
        const merged = merge(wrap(original), wrap(patch));
        const list = [...JSON.stringify(merged).matchAll(/"name":"(\w)"/gu)].map(
          ([, name]) => name ?? "",
        );
        expect(new Set(list).size).toBe(list.length);
        const patched = new Set<string>(patch.map(({ name }) => name));
        const kept = original.map(({ name }) => name).filter((name) => !patched.has(name));
        expect(list.filter((name) => !patched.has(name))).toEqual(kept);
      }),
    );
  });

  it("ordered by a complete list has exactly that order", () => {
    fc.assert(
      fc.property(containers, fc.infiniteStream(fc.nat()), (original, random) => {
        const order = original
          .map(({ name }) => ({ name, at: random.next().value }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ name }) => ({ name }));
        const patch = { spec: { template: { spec: { "$setElementOrder/containers": order } } } };
        const merged = JSON.stringify(merge(wrap(original), patch));
        const found = [...merged.matchAll(/"name":"(\w)"/gu)].map(([, name]) => ({ name }));
        expect(found).toEqual(order);
      }),
    );
  });

  it("never changes its arguments and leaves no directive behind", () => {
    const patch = {
      metadata: { labels: { $patch: "replace", a: "b" } },
      spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
    };
    const merged = merge({ metadata: { labels: { c: "d" } }, spec: { strategy: {} } }, patch);
    expect(merged).toEqual({
      metadata: { labels: { a: "b" } },
      spec: { strategy: { type: "Recreate" } },
    });
    expect(isJsonObject(merged)).toBe(true);
  });
});
