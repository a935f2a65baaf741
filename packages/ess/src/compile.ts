import { type BoundSystem, bindSystem } from "./bind/bind-system.js";
import type { DomainSource } from "./bind/domain-source.js";
import { parseYaml } from "./cst/parse-yaml.js";
import type { CstNode } from "./cst/cst-node.js";
import { type DiagnosticSink, compareText } from "./diagnostics/diagnostic.js";
import { type SourceFile, rosterPath, sha256Of } from "./read/read-model.js";
import { type SystemShape, shapeDomain, shapeSystem } from "./shape/domain-shape.js";
import { entryOf } from "./shape/decode.js";
import type { Spanned } from "./diagnostics/span.js";
import { decodeText } from "./read/decode-text.js";

/** The bound system of these files; undefined when there is no roster to begin from. */
export function compile(
  files: readonly SourceFile[],
  sink: DiagnosticSink,
): BoundSystem | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const roster = byPath.get(rosterPath);
  const start = { path: rosterPath, start: 0, end: 0, line: 1, column: 1 };
  if (roster === undefined) {
    sink.report("ESS-READ-001", start, "there is no ess/system.yaml");
    return undefined;
  }
  const node = nodeOf(roster, sink);
  const system = node === undefined ? undefined : shapeSystem(node, sink);
  if (system === undefined) return undefined;
  refuseUnlisted(system, files, sink);
  const sources = system.domains
    .map((listed) => loadDomain(listed, byPath, sink))
    .filter((source) => source !== undefined);
  return bindSystem(system, sources, digestOf(files), sink);
}

function loadDomain(
  listed: Spanned<string>,
  byPath: ReadonlyMap<string, SourceFile>,
  sink: DiagnosticSink,
): DomainSource | undefined {
  const file = byPath.get(`ess/${listed.value}.yaml`);
  if (file === undefined) {
    sink.report("ESS-READ-001", listed.span, `there is no file ess/${listed.value}.yaml`);
    return undefined;
  }
  const node = nodeOf(file, sink);
  const shape = node === undefined ? undefined : shapeDomain(node, sink);
  if (node === undefined || shape === undefined) return undefined;
  const base = listed.value.replace(/^domains\//, "").replaceAll("/", "-");
  return { base, path: file.path, sha256: file.sha256, shape, typeNames: typeNamesOf(node) };
}

function nodeOf(file: SourceFile, sink: DiagnosticSink): CstNode | undefined {
  const text = decodeText(file, sink);
  return text === undefined ? undefined : parseYaml(file.path, text, sink);
}

function refuseUnlisted(
  system: SystemShape,
  files: readonly SourceFile[],
  sink: DiagnosticSink,
): void {
  const listed = new Set(system.domains.map(({ value }) => `ess/${value}.yaml`));
  for (const { path } of files) {
    if (path === rosterPath || listed.has(path)) continue;
    const span = { path, start: 0, end: 0, line: 1, column: 1 };
    sink.report("ESS-READ-002", span, "ess/system.yaml does not list this file");
  }
}

function typeNamesOf(node: CstNode): readonly string[] {
  const types = node.kind === "map" ? entryOf(node, "types") : undefined;
  return types?.kind === "map" ? types.entries.map(({ key }) => key) : [];
}

function digestOf(files: readonly SourceFile[]): string {
  const lines = [...files]
    .sort((left, right) => compareText(left.path, right.path))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  return sha256Of(lines.join(""));
}
