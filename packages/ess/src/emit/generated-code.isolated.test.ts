import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitAll } from "../build.js";
import { ferryIr } from "../testing/ferry.js";

const workspace = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ess-generated-"));
let ferry: Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const booking = {
  format: "ferry.booking/1",
  version: 1,
  firm: true,
  id: "0c0ffee0-0000-4000-8000-000000000001",
  class: "foot",
  seats: 2,
  from_ms: 1,
  until_ms: 2,
  vehicle: null,
  price: "9223372036854775807",
  state: "Booked",
  tags: ["a"],
  labels: { "NL-1": 1 },
  grid: [[1], []],
};

beforeAll(async () => {
  for (const [path, text] of emitAll(ferryIr())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const support = "packages/domain/src/support";
  cpSync(join(workspace, support), join(folder, support), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = { rootDir: "packages/domain/src", outDir: "dist", types: [] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(workspace, "tsconfig.base.json"),
      compilerOptions,
      include: ["packages/domain/src"],
    }),
  );
  execFileSync(join(workspace, "node_modules/.bin/tsc"), ["-p", folder], { stdio: "pipe" });
  ferry = await import(pathToFileURL(join(folder, "dist/gen/index.js")).href);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("generated code", () => {
  test("compiles under the strictest options and reads what it should", () => {
    expect(call("parseBooking", booking)).toMatchObject({
      ok: true,
      value: { price: 9223372036854775807n, labels: { "NL-1": 1 } },
    });
  });

  test("encodes what it read to the canonical text of what it was given", () => {
    const read = call("parseBooking", booking) as { readonly value: unknown };
    const text = call("encodeCanonicalBooking", read.value);
    expect(JSON.parse(String(text))).toEqual(booking);
    expect(String(text).startsWith('{"class":"foot","firm":true,')).toBe(true);
  });

  test.each([
    [{ price: 5 }, "/price", "type"],
    [{ price: "9223372036854775808" }, "/price", "type"],
    [{ price: "-1" }, "/price", "min"],
    [{ until_ms: 1 }, "", "in_order"],
    [{ class: "on-wheels" }, "", "wheels_have_vehicle"],
    [{ vehicle: nested(70) }, `/vehicle${"/trailer".repeat(63)}`, "depth"],
    [{ vehicle: { ...nested(0), trailer: nested(0, 601) } }, "", "short_trailer"],
    [{ tags: ["a", "b", "c"] }, "", "few_tags"],
    [{ tags: ["a", "a"] }, "/tags", "distinct"],
    [{ dogs: ["ééé", "ééé", "é"] }, "/dogs", "total_bytes_max"],
    [{ labels: { "NL-1": 1, "NL-2": 1, "NL-3": 1 } }, "/labels", "items_max"],
    [{ labels: { nl: 1 } }, "/labels/nl", "pattern"],
    [{ labels: JSON.parse('{"__proto__": 1}') }, "/labels/__proto__", "key"],
    [{ spoken: "\ud800" }, "/spoken", "unicode"],
    [{ spoken: null }, "/spoken", "type"],
    [{ pin: "12345" }, "/pin", "pattern"],
    [{ grid: [[1.5]] }, "/grid/0/0", "type"],
    [{ version: 2 }, "/version", "const"],
    [{ "x-harbour": { deep: [1, { text: "\ud800" }] } }, "/x-harbour/deep/1/text", "unicode"],
    [{ "x-harbour": "x".repeat(4096) }, "", "bytes_max"],
    [{ surplus: 1 }, "/surplus", "unknown_member"],
    [{ "<script>": 1 }, "/?", "unknown_member"],
  ])("refuses %j at %s by %s", (change, path, rule) => {
    const result = call("parseBooking", { ...booking, ...change });
    expect(result).toMatchObject({ ok: false, issues: [{ path, rule }] });
  });

  test("steps along legal moves only", () => {
    expect(call("stepCrossing", "Booked", "board")).toBe("Aboard");
    expect(call("stepCrossing", "Landed", "board")).toBeUndefined();
    expect(call("isCrossingTerminal", "Landed")).toBe(true);
    expect(call("isCrossingTerminal", "Aboard")).toBe(false);
  });

  test("classifies raw values, the first class first", () => {
    const weights = [3499, 3500, 3550, 3600, 3700, 3701, -1, null];
    expect(weights.map((weight) => call("classifyRampWeight", weight))).toEqual([
      "light",
      "odd",
      "heavy",
      "odd",
      "odd",
      "heavy",
      "heavy",
      "heavy",
    ]);
    expect(call("classifyRampFlag", "GB")).toBe("away");
    expect(call("classifyRampFlag", null)).toBe("unknown");
  });

  test("decides each row's example as that row", () => {
    const matrix = ferry["rampMatrix"] as unknown as {
      readonly product: number;
      readonly rows: readonly {
        readonly row: string;
        readonly count: number;
        readonly facts: object;
      }[];
    };
    const values = { weight_kg: 9, forecast: "gale" };
    for (const { row, facts } of matrix.rows) {
      expect(call("decideRamp", facts, values)).toMatchObject({ row });
    }
    expect(matrix.rows.map(({ row }) => row)).toEqual([
      "storm",
      "unpaid",
      "heavy",
      "guest",
      "otherwise",
    ]);
    expect(matrix.rows.reduce((sum, { count }) => sum + count, 0)).toBe(matrix.product);
  });

  test("tells variants apart by their tag", () => {
    const id = booking.id;
    expect(call("parseEvent", { kind: "sailed" })).toMatchObject({ ok: true });
    expect(call("parseEvent", { kind: "sunk" })).toMatchObject({
      issues: [{ path: "/kind", rule: "tag" }],
    });
    expect(call("parseEvent", {})).toMatchObject({ issues: [{ path: "/kind", rule: "missing" }] });
    const away = { kind: "turned_away", booking: id, code: "overweight", weight_kg: null };
    expect(call("parseEvent", away)).toMatchObject({ issues: [{ rule: "heavy_is_weighed" }] });
  });
});

function call(name: string, ...values: readonly unknown[]): unknown {
  const target = ferry[name];
  if (target === undefined) throw new Error(`the index does not offer ${name}`);
  return target(...values);
}

function nested(depth: number, length_cm = 100): object {
  const rest = depth === 0 ? {} : { trailer: nested(depth - 1) };
  return { plate: "NL-1", length_cm, ...rest };
}
