import { type BoundSystem, bindSystem } from "./bind/bind-system.js";
import type { DomainSource } from "./bind/domain-source.js";
import type { CstNode } from "./cst/cst-node.js";
import { parseYaml } from "./cst/parse-yaml.js";
import { type DiagnosticSink, compareText } from "./diagnostics/diagnostic.js";
import { decodeText } from "./read/decode-text.js";
import { sha256Of } from "./ir/sha256.js";
import { type SourceFile, rosterPath } from "./read/read-model.js";
import { entryOf } from "./shape/decode.js";
import { type SystemShape, shapeDomain, shapeSystem } from "./shape/domain-shape.js";

/** Runs one stage; a caller may measure it. */
export type RunStage = <T>(name: string, stage: () => T) => T;

/** The bound system of these files; undefined when there is no roster to begin from. */
export function compile(
  files: readonly SourceFile[],
  sink: DiagnosticSink,
  run: RunStage = (_name, stage) => stage(),
): BoundSystem | undefined {
  const nodes = run("cst", () => parseFiles(files, sink));
  return compileNodes(files, nodes, sink, run);
}

/** The YAML of each file, by path, without those that are not well-formed. */
export function parseFiles(
  files: readonly SourceFile[],
  sink: DiagnosticSink,
): ReadonlyMap<string, CstNode> {
  const nodes = new Map<string, CstNode>();
  for (const file of files) {
    const text = decodeText(file, sink);
    const node = text === undefined ? undefined : parseYaml(file.path, text, sink);
    if (node !== undefined) nodes.set(file.path, node);
  }
  return nodes;
}

/** The bound system of files whose YAML is parsed. */
export function compileNodes(
  files: readonly SourceFile[],
  nodes: ReadonlyMap<string, CstNode>,
  sink: DiagnosticSink,
  run: RunStage = (_name, stage) => stage(),
): BoundSystem | undefined {
  const roster = nodes.get(rosterPath);
  const system = roster === undefined ? undefined : shapeSystem(roster, sink);
  if (!files.some(({ path }) => path === rosterPath)) {
    const start = { path: rosterPath, start: 0, end: 0, line: 1, column: 1 };
    sink.report("ESS-READ-001", start, `there is no ${rosterPath}`);
  }
  if (system === undefined) return undefined;
  const sources = run("shape", () => shapeAll(system, files, nodes, sink));
  return run("bind", () => bindSystem(system, sources, digestOf(files), sink));
}

function shapeAll(
  system: SystemShape,
  files: readonly SourceFile[],
  nodes: ReadonlyMap<string, CstNode>,
  sink: DiagnosticSink,
): readonly DomainSource[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const listed = new Set(system.domains.map(({ value }) => pathOf(value)));
  for (const { path } of files) {
    if (path === rosterPath || listed.has(path)) continue;
    const start = { path, start: 0, end: 0, line: 1, column: 1 };
    sink.report("ESS-READ-002", start, `${rosterPath} does not list this file`);
  }
  return system.domains.flatMap(({ value, span }): readonly DomainSource[] => {
    const path = pathOf(value);
    const file = byPath.get(path);
    if (file === undefined) sink.report("ESS-READ-001", span, `there is no file ${path}`);
    const node = nodes.get(path);
    const shape = node === undefined ? undefined : shapeDomain(node, sink);
    if (file === undefined || node === undefined || shape === undefined) return [];
    const base = value.replace(/^domains\//, "").replaceAll("/", "-");
    return [{ base, path, sha256: file.sha256, shape, typeNames: typeNamesOf(node) }];
  });
}

function pathOf(listed: string): string {
  return `ess/${listed}.yaml`;
}

function typeNamesOf(node: CstNode): readonly string[] {
  const types = node.kind === "map" ? entryOf(node, "types") : undefined;
  return types?.kind === "map" ? types.entries.map(({ key }) => key) : [];
}

function digestOf(files: readonly SourceFile[]): string {
  const lines = [...files]
    .toSorted((left, right) => compareText(left.path, right.path))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  return sha256Of(lines.join(""));
}
