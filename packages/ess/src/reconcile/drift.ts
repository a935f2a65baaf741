import { compareText } from "../diagnostics/diagnostic.js";
import { type EmittedFiles, generatedPrefix } from "../emit/emitter.js";

/** One way in which the files that are there differ from those that should be. */
export type Drift =
  | { readonly kind: "missing" | "orphan" | "foreign"; readonly path: string }
  | {
      readonly kind: "different";
      readonly path: string;
      readonly line: number;
      readonly there: string;
      readonly generated: string;
    };

/** What differs, by path; nothing when `there` is what was emitted. */
export function driftOf(
  there: ReadonlyMap<string, string>,
  emitted: EmittedFiles,
): readonly Drift[] {
  const drifts: Drift[] = [];
  for (const [path, generated] of emitted) {
    const text = there.get(path);
    if (text === undefined) drifts.push({ kind: "missing", path });
    else if (text !== generated) drifts.push(differenceOf(path, text, generated));
  }
  for (const [path, text] of there) {
    if (emitted.has(path)) continue;
    drifts.push({ kind: isGenerated(text) ? "orphan" : "foreign", path });
  }
  return drifts.toSorted((left, right) => compareText(left.path, right.path));
}

/** The lines that tell a person of a drift. */
export function describeDrift(drift: Drift): string {
  const head = `${drift.kind.padEnd(10)}${drift.path}`;
  if (drift.kind !== "different") return head;
  const lines = [`${head}:${drift.line}`, `  there:     ${drift.there}`];
  return [...lines, `  generated: ${drift.generated}`].join("\n");
}

/** True when the first line says that the file is generated. */
export function isGenerated(text: string): boolean {
  const [first = ""] = text.split("\n", 1);
  return first.includes(generatedPrefix);
}

function differenceOf(path: string, there: string, generated: string): Drift {
  const left = there.split("\n");
  const right = generated.split("\n");
  const length = Math.max(left.length, right.length);
  let line = 0;
  while (line < length && left[line] === right[line]) line += 1;
  const end = "(the file ends here)";
  return {
    kind: "different",
    path,
    line: line + 1,
    there: left[line] ?? end,
    generated: right[line] ?? end,
  };
}
