import { compareText } from "../../diagnostics/diagnostic.js";
import type { SystemIr } from "../../ir/ir.js";
import { generatedMark } from "../emitter.js";
import { type Offer, supportModule } from "./file-scope.js";

// What users of the generated code need of the support code; readers stay inside.
const supportOffers: readonly Offer[] = [
  { kind: "type", name: "Brand" },
  { kind: "type", name: "DecisionMatrix" },
  { kind: "type", name: "DecisionTableRow" },
  { kind: "type", name: "Issue" },
  { kind: "type", name: "JsonValue" },
  { kind: "type", name: "Lifecycle" },
  { kind: "type", name: "Parsed" },
  { kind: "value", name: "canonicalJson" },
  { kind: "value", name: "codePoints" },
  { kind: "value", name: "isWellFormed" },
  { kind: "value", name: "issuesMax" },
  { kind: "value", name: "utf8Bytes" },
];

/** The index: every offer by name, the types as types. */
export function indexText(ir: SystemIr, offers: ReadonlyMap<string, readonly Offer[]>): string {
  const modules: readonly (readonly [string, readonly Offer[]])[] = [
    [supportModule, supportOffers],
    ...[...offers].map(([base, names]) => [`./${base}.js`, names] as const),
  ];
  const lines = modules
    .filter(([, names]) => names.length > 0)
    .flatMap(([module, names]) => exportLines(module, names));
  return `${[`// ${generatedMark("ess/system.yaml", ir.sha256)}`, "", ...lines].join("\n")}\n`;
}

function exportLines(module: string, offers: readonly Offer[]): readonly string[] {
  const items = [...offers]
    .toSorted((left, right) => compareText(left.name, right.name))
    .map(({ kind, name }) => `  ${kind === "type" ? "type " : ""}${name},`);
  return ["export {", ...items, `} from "${module}";`];
}
