import { expect, test } from "vitest";
import { emitAll } from "./build.js";
import { checkSystem } from "./check/check-system.js";
import { compileNodes, parseFiles } from "./compile.js";
import type { CstNode } from "./cst/cst-node.js";
import { makeDiagnosticSink } from "./diagnostics/diagnostic.js";
import { emitMarkdown } from "./emit/markdown/emit-markdown.js";
import { emitTypescript } from "./emit/typescript/emit-typescript.js";
import { ownFolders } from "./plan/plan.js";
import { readHeadings } from "./read/read-headings.js";
import { ferrySources } from "./testing/ferry.js";
import { fixturePath } from "./testing/golden.js";

const sources = ferrySources();
const headings = readHeadings(fixturePath("ferry"), ["docs/ferry.md"]);
const plan = {
  emitters: [
    { name: "typescript", emit: emitTypescript },
    { name: "markdown", emit: emitMarkdown },
  ],
  options: ownFolders,
  folders: [],
};

// What a model says is either refused or seen: nothing that is taken out is missed by nobody.
test("whatever is taken out of a model is reported or changes what is generated", () => {
  const nodes = parseFiles(sources, makeDiagnosticSink());
  const whole = outcomeOf(nodes);
  const ignored: string[] = [];
  let mutants = 0;
  for (const [path, node] of nodes) {
    for (const { what, without } of mutantsOf(node)) {
      mutants += 1;
      if (outcomeOf(new Map([...nodes, [path, without]])) === whole)
        ignored.push(`${path}: ${what}`);
    }
  }
  expect(ignored).toEqual(saidTwice);
  expect(mutants).toBeGreaterThan(500);
}, 120_000);

// What classes are of when nothing is said may be said all the same.
const saidTwice = ["ess/domains/desk.yaml: /decisions/ramp/facts/weight/of"];

function outcomeOf(nodes: ReadonlyMap<string, CstNode>): string {
  const sink = makeDiagnosticSink();
  const bound = compileNodes(sources, nodes, sink);
  if (bound === undefined || sink.list().length > 0) return "problems";
  checkSystem({ ...bound, sink, headings });
  if (sink.list().length > 0) return "problems";
  return [...emitAll(bound.ir, plan).values()].join("\n");
}

interface Mutant {
  readonly what: string;
  readonly without: CstNode;
}

// Every copy of `node` that lacks one entry or one item, at any depth.
function mutantsOf(node: CstNode, path = ""): readonly Mutant[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") {
    return node.items.flatMap((item, at) => {
      const put = (...others: readonly CstNode[]): CstNode => {
        return { ...node, items: node.items.toSpliced(at, 1, ...others) };
      };
      return variants(item, `${path}/${at}`, put);
    });
  }
  return node.entries.flatMap((entry, at) => {
    const put = (...others: readonly CstNode[]): CstNode => {
      const entries = others.map((value) => ({ ...entry, value }));
      return { ...node, entries: node.entries.toSpliced(at, 1, ...entries) };
    };
    return variants(entry.value, `${path}/${entry.key}`, put);
  });
}

function variants(
  child: CstNode,
  path: string,
  put: (...others: readonly CstNode[]) => CstNode,
): readonly Mutant[] {
  const deeper = mutantsOf(child, path).map(({ what, without }) => ({
    what,
    without: put(without),
  }));
  return [{ what: path, without: put() }, ...deeper];
}
