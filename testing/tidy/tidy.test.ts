import { describe, expect, test } from "vitest";
import { readSources, type SourceFile } from "./sources.js";

const all = readSources(["packages", "testing", "bench", "examples"]);
const written = all.filter((f) => !f.generated);
const product = written.filter(
  (f) => f.path.startsWith("packages/") && !f.test && !f.path.includes("/src/testing/"),
);

/** `path:line: text` of every line that a rule refuses. */
function hits(files: readonly SourceFile[], rule: RegExp): readonly string[] {
  return files.flatMap((file) =>
    file.lines.flatMap((line, index) =>
      rule.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [],
    ),
  );
}

/** The same, of code alone: comments speak English. */
function code(files: readonly SourceFile[], rule: RegExp): readonly string[] {
  return hits(files, rule).filter((hit) => !/:\d+: (\/\/|\*|\/\*)/.test(hit));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

describe("tidy", () => {
  test("no hand-written file is over 500 lines", () => {
    const long = written.filter((f) => f.lines.length > 501);
    expect(long.map((f) => `${f.path}: ${f.lines.length}`)).toEqual([]);
  });

  test("nine files in ten are under 300 lines and the median is small", () => {
    const sizes = product.map((f) => f.lines.length);
    expect(sizes.filter((n) => n > 300).length).toBeLessThanOrEqual(sizes.length / 10);
    expect(median(sizes)).toBeLessThanOrEqual(150);
  });

  test("file names say what is inside", () => {
    const banned = /\/(utils?|helpers?|common|misc|types|impl|manager)(\/|\.ts$)/;
    const shape = /^[a-z0-9]+(-[a-z0-9]+)*(\.(isolated|property|adversary))?(\.test)?\.ts$/;
    const broken = written.filter((f) => {
      const name = f.path.split("/").at(-1) ?? "";
      return banned.test(f.path) || !shape.test(name);
    });
    expect(broken.map((f) => f.path)).toEqual([]);
  });

  test("exports are named", () => {
    expect(
      hits(written, /^export (\*|default)/).filter((h) => !h.includes("vitest.config")),
    ).toEqual([]);
  });

  test("nothing is any, and nothing is asserted to be there", () => {
    expect(code(product, /: any\b|\bas any\b|<any>|as unknown as/)).toEqual([]);
  });

  test("nothing is left to do, and nothing is silenced", () => {
    const rule = new RegExp(
      `\\b${"TO"}${"DO"}\\b|\\b${"FIX"}${"ME"}\\b|@ts-(ignore|nocheck|expect-error)`,
    );
    expect(hits(written, rule)).toEqual([]);
  });

  test("no catch is empty", () => {
    const rule = /catch\s*(\([^)]*\))?\s*\{\s*\}/;
    const broken = written.filter((f) => rule.test(f.text) && !f.path.startsWith("testing/tidy/"));
    expect(broken.map((f) => f.path)).toEqual([]);
  });

  test("no test is focused or left out by hand", () => {
    const tests = written.filter((f) => f.test && !f.path.startsWith("testing/tidy/"));
    expect(hits(tests, /\b(it|test|describe)\.(only|todo|skip)\(/)).toEqual([]);
  });

  test("below adapters nobody reaches for the clock, chance, the environment or a socket", () => {
    const adapters =
      /packages\/(cli|transport|store-sqlite|ess|kubernetes-simulator)\/|kubernetes-client\/src\/node\//;
    const rule =
      /process\.(env|argv|exit|stdout|stderr)|Date\.now\(|Math\.random\(|\bsetTimeout\(|\bsetInterval\(|performance\.now\(|[^.\w]fetch\(|new Date\(\)/;
    expect(
      hits(
        product.filter((f) => !adapters.test(f.path)),
        rule,
      ),
    ).toEqual([]);
  });

  test("only adapters touch files, processes and sockets", () => {
    const adapters =
      /packages\/(cli|transport|store-sqlite|ess|kubernetes-simulator)\/|kubernetes-client\/src\/node\//;
    const rule = /from "node:(fs|fs\/promises|net|tls|http|https|child_process|worker_threads|os)"/;
    expect(
      hits(
        product.filter((f) => !adapters.test(f.path)),
        rule,
      ),
    ).toEqual([]);
  });

  test("the project speaks only of itself", () => {
    // Built in pieces, so that this file does not name what it looks for.
    const rule = new RegExp(
      [`\\.\\./sha${"red"}`, `live-observations${"\\.md"}`, `\\bsub-?ag${"ent"}s?\\b`].join("|"),
      "i",
    );
    expect(
      hits(
        written.filter((f) => !f.path.startsWith("testing/tidy/")),
        rule,
      ),
    ).toEqual([]);
  });
});
