import type { AttemptId } from "@connectors/domain";
import { isWrite, type InstalledAdapter } from "../adapters/installed-adapter.js";

/** The reads of an adapter, which are where to look when nobody knows. */
export function listReads(adapter: InstalledAdapter): readonly string[] {
  return [...adapter.operations.values()]
    .filter(({ declaration }) => !isWrite(declaration))
    .map(({ declaration }) => declaration.id);
}

/** What to look at first when it may or may not have happened. */
export function hintForUnknown(attempt: AttemptId, adapter: InstalledAdapter): string {
  const [read] = listReads(adapter);
  const look = read === undefined ? "" : `look with \`connectors read ${adapter.name}/${read}\`; `;
  return (
    `Look before acting: ${look}search the provider's audit log for the Audit-ID ${attempt}; ` +
    `then \`connectors attempts explain ${attempt}\`.`
  );
}
