import { readFileSync } from "node:fs";
import { checkModel } from "../build.js";
import type { SystemIr } from "../ir/ir.js";
import { readHeadings } from "../read/read-headings.js";
import { type SourceFile, readSources } from "../read/read-model.js";
import { fixturePath } from "./golden.js";

/** The files of the fixture that uses every construct of the language. */
export function ferrySources(): readonly SourceFile[] {
  return readSources(fixturePath("ferry"));
}

/** The fixture as checked. */
export function ferryIr(sources: readonly SourceFile[] = ferrySources()): SystemIr {
  const result = checkModel(sources, (pages) => readHeadings(fixturePath("ferry"), pages));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, undefined, 2));
  return result.ir;
}

/** The text of one file of the fixture. */
export function ferryText(path: string): string {
  return readFileSync(fixturePath("ferry", path), "utf8");
}
