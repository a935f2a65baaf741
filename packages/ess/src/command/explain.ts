import { diagnosticCatalogue, isDiagnosticCode } from "../diagnostics/catalogue.js";
import { didYouMean } from "../diagnostics/did-you-mean.js";
import type { CommandHost } from "./run-command.js";

/** Says what a code means, or lists all codes; the answer is the exit code. */
export function explain(code: string | undefined, host: CommandHost): number {
  if (code === undefined) {
    for (const [known, { title }] of Object.entries(diagnosticCatalogue)) {
      host.out(`${known}  ${title}`);
    }
    return 0;
  }
  if (isDiagnosticCode(code)) {
    const { title, explanation } = diagnosticCatalogue[code];
    host.out(`${code}: ${title}\n\n${explanation}`);
    return 0;
  }
  const { help } = didYouMean(code, Object.keys(diagnosticCatalogue));
  host.err(`ess: there is no code '${code}'${help === undefined ? "" : `; ${help}`}`);
  return 2;
}
