import { didYouMean } from "../diagnostics/did-you-mean.js";
import type { OwnerIr, SystemIr } from "../ir/ir.js";
import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses owners that are not there. */
export function checkOwners(context: CheckContext): void {
  for (const owner of ownersOf(context.ir)) {
    const headings = context.headings.get(owner.file);
    if (headings === undefined) {
      reportAt(context, "ESS-OWNER-001", owner, `there is no page '${owner.file}'`);
    } else if (owner.heading !== undefined && !headings.includes(owner.heading)) {
      const message = `'${owner.file}' has no heading '${owner.heading}'`;
      reportAt(context, "ESS-OWNER-002", owner, message, didYouMean(owner.heading, headings));
    }
  }
}

/** Every owner that a system names. */
export function ownersOf(ir: SystemIr): readonly OwnerIr[] {
  return ir.domains
    .flatMap((domain) => [domain.owner, ...domain.notes.map(({ owner }) => owner)])
    .filter((owner) => owner !== undefined);
}
