import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownersOf } from "../check/check-owners.js";
import { checkSystem } from "../check/check-system.js";
import { compile } from "../compile.js";
import { makeDiagnosticSink } from "../diagnostics/diagnostic.js";
import { renderDiagnostic } from "../diagnostics/render-text.js";
import { emitTypescript } from "../emit/typescript/emit-typescript.js";
import { readHeadings } from "../read/read-headings.js";
import { readSources, rosterPath } from "../read/read-model.js";
import { writeFiles } from "../reconcile/reconcile.js";

/** What a command may use of the process that runs it. */
export interface CommandHost {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs one command line; the answer is the exit code. */
export async function runCommand(argv: readonly string[], host: CommandHost): Promise<number> {
  const [command] = argv;
  const root = findRoot(host.cwd);
  if (root === undefined || (command !== "check" && command !== "generate")) {
    host.err("usage: ess check | generate");
    return 2;
  }
  const files = readSources(root);
  const sink = makeDiagnosticSink();
  const bound = compile(files, sink);
  if (bound !== undefined) {
    const headings = readHeadings(
      root,
      ownersOf(bound.ir).map(({ file }) => file),
    );
    checkSystem({ ...bound, sink, headings });
  }
  const diagnostics = sink.list();
  const texts = new Map(files.map((file) => [file.path, Buffer.from(file.bytes).toString("utf8")]));
  for (const diagnostic of diagnostics) {
    host.err(renderDiagnostic(diagnostic, texts.get(diagnostic.span.path)));
  }
  if (diagnostics.length > 0 || bound === undefined) return 1;
  if (command === "check") return 0;
  const written = writeFiles(root, emitTypescript(bound.ir));
  host.out(`${written.length} files written`);
  return 0;
}

function findRoot(from: string): string | undefined {
  if (existsSync(join(from, rosterPath))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : findRoot(parent);
}
