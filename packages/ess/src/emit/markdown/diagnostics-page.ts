import { diagnosticCatalogue } from "../../diagnostics/catalogue.js";
import { sha256Of } from "../../ir/sha256.js";
import { generatedMark } from "../emitter.js";
import { code, table } from "./markdown-text.js";

/** The page of the codes that `ess check` reports. */
export function diagnosticsPage(): string {
  const rows = Object.entries(diagnosticCatalogue).map(([name, { title, explanation }]) => [
    code(name),
    title,
    explanation,
  ]);
  const lines = [
    "",
    "# Problems that ess reports",
    "",
    "A code never changes its meaning and is never used again for another.",
    "",
    ...table(["code", "problem", "what is asked"], rows),
  ];
  const text = lines.join("\n").trimEnd();
  const mark = generatedMark("its own catalogue of codes", sha256Of(text));
  return `<!-- ${mark} -->\n${text}\n`;
}
