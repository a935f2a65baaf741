import { describe, expect, test } from "vitest";
import { issuesMax } from "./parsed.js";
import { readInteger, readJson, readString } from "./read-scalar.js";
import {
  readList,
  readMap,
  readMembers,
  readNullable,
  readOmittable,
  readRequired,
} from "./read-structure.js";
import { type Reader, invalid, parseWith } from "./reading.js";

const known = new Set(["a", "b", "c"]);
const readRecord: Reader<object> = (value, at) => {
  const members = readMembers(value, at, known);
  if (members === invalid) return invalid;
  const a = readRequired(members, "a", at, readInteger);
  const b = readNullable(members, "b", at, readString);
  const c = readOmittable(members, "c", at, readString);
  if (a === invalid || b === invalid || c === invalid) return invalid;
  return { a, b, ...(c === undefined ? {} : { c }) };
};

describe("reading", () => {
  test("tells absent, null and present apart", () => {
    expect(parseWith({ a: 1, b: null }, readRecord)).toEqual({
      ok: true,
      value: { a: 1, b: null },
    });
    expect(parseWith({ a: 1, b: "", c: "" }, readRecord)).toMatchObject({ ok: true });
    expect(rules({ a: 1 })).toEqual(["/b missing"]);
    expect(rules({ a: null, b: null, c: null })).toEqual(["/a type", "/c type"]);
  });

  test("finds every issue, in the order of the members", () => {
    expect(rules({ d: 1, c: 2, a: "x" })).toEqual([
      "/d unknown_member",
      "/a type",
      "/b missing",
      "/c type",
    ]);
  });

  test("sees own members only", () => {
    expect(rules(Object.create({ a: 1, b: null }))).toEqual([" type"]);
    expect(rules({ ["__proto__"]: { a: 1 }, a: 1, b: null })).toEqual([
      "/__proto__ unknown_member",
    ]);
    const bare: object = Object.assign(Object.create(null), { a: 1, b: null });
    expect(parseWith(bare, readRecord)).toMatchObject({ ok: true });
    expect(rules(new Map())).toEqual([" type"]);
  });

  test("reads a getter once, and keeps what it read", () => {
    let reads = 0;
    const value = {
      get a() {
        reads += 1;
        return reads;
      },
      b: null,
    };
    expect(parseWith(value, readRecord)).toEqual({ ok: true, value: { a: 1, b: null } });
    expect(reads).toBe(1);
  });

  test("keeps a bounded number of issues and stops looking after them", () => {
    let looked = 0;
    const readItem: Reader<string> = (value, at) => {
      looked += 1;
      return readString(value, at);
    };
    const result = parseWith(
      Array.from({ length: 10_000 }, () => 1),
      (value, at) => readList(value, at, readItem),
    );
    expect(result.ok ? [] : result.issues).toHaveLength(issuesMax);
    expect(looked).toBe(issuesMax);
    const strange = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]));
    const refused = parseWith(strange, readRecord);
    expect(refused.ok ? [] : refused.issues).toHaveLength(issuesMax);
  });

  test("repeats no foreign text in a path but harmless names", () => {
    expect(rules({ "a/b~c": 1, a: 1, b: null })).toEqual(["/a~1b~0c unknown_member"]);
    expect(rules({ "\u001b[31m": 1, a: 1, b: null })).toEqual(["/? unknown_member"]);
    expect(rules({ ["x".repeat(65)]: 1, a: 1, b: null })).toEqual(["/? unknown_member"]);
  });

  test("gives maps no prototype and refuses the name that would set one", () => {
    const readCounts: Reader<object> = (value, at) => readMap(value, at, readString, readInteger);
    const read = parseWith({ constructor: 1 }, readCounts);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && Object.getPrototypeOf(read.value)).toBeNull();
    const parsed = parseWith(JSON.parse('{"__proto__":1}'), readCounts);
    expect(parsed).toMatchObject({ ok: false, issues: [{ path: "/__proto__", rule: "key" }] });
  });

  test("goes 64 deep and no deeper", () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    expect(parseWith(nest(64), readJson)).toMatchObject({ ok: true });
    expect(parseWith(nest(65), readJson)).toMatchObject({ ok: false, issues: [{ rule: "depth" }] });
    const loop: unknown[] = [];
    loop.push(loop);
    expect(parseWith(loop, readJson)).toMatchObject({ ok: false, issues: [{ rule: "depth" }] });
  });
});

function rules(value: unknown): readonly string[] {
  const result = parseWith(value, readRecord);
  return result.ok ? [] : result.issues.map(({ path, rule }) => `${path} ${rule}`);
}
