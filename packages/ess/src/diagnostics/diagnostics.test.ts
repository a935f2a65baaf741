import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type MemoryModel, reportOf } from "../testing/memory-model.js";
import { fixturePath, goldenText } from "../testing/golden.js";
import { diagnosticCatalogue } from "./catalogue.js";

// A case is one file: sections `--- PATH` of a broken model, then what is reported of it.
const cases = readdirSync(fixturePath("diagnostics")).map((name) => {
  const text = readFileSync(fixturePath("diagnostics", name), "utf8");
  const [source = "", expected = ""] = text.split(/^=== reported\n/m);
  return { name, source, expected };
});

describe("each code of a problem", () => {
  test("has a case", () => {
    const missing = Object.keys(diagnosticCatalogue).filter(
      (code) => !cases.some(({ name }) => name.startsWith(code)),
    );
    expect(missing).toEqual([]);
  });

  test.each(cases)("is reported with place and words: $name", ({ name, source }) => {
    const actual = `${reportOf(modelOf(source))}\n`;
    const path = fixturePath("diagnostics", name);
    const whole = `${source}=== reported\n${actual}`;
    expect(goldenText(path, whole)).toBe(whole);
    const [code = ""] = /^ESS-[A-Z]+-\d{3}/.exec(name) ?? [];
    expect(actual).toContain(`error ${code}: `);
  });
});

function modelOf(source: string): MemoryModel {
  const sections = source.split(/^--- (.*)\n/m).slice(1);
  const model: Record<string, string> = {};
  for (let index = 0; index + 1 < sections.length; index += 2) {
    const text = sections[index + 1] ?? "";
    model[sections[index] ?? ""] = text.replaceAll("<TAB>", "\t").replaceAll("<CR>", "\r");
  }
  return model;
}
