import { fail, succeed, type Outcome } from "@connectors/sdk";
import type {
  DeclaredOperation,
  InstalledAdapter,
  InstalledAdapters,
} from "./installed-adapter.js";

/** An operation of an adapter, under their names in a request. */
export interface FoundOperation {
  readonly adapter: InstalledAdapter;
  readonly operation: DeclaredOperation;
}

/**
 * The operation that a request names.
 *
 * No such adapter or operation is `unsupported`; one that this host has not configured is
 * `forbidden`; a revision other than the installed one is `stale_description`.
 */
export function findOperation(
  adapters: InstalledAdapters,
  request: {
    readonly adapter: string;
    readonly operation: string;
    readonly revision?: string | null;
  },
): Outcome<FoundOperation> {
  const adapter = adapters.get(request.adapter);
  if (adapter === undefined) return fail("unsupported", "This host has no adapter of that name.");
  const operation = adapter.operations.get(request.operation);
  if (operation === undefined) {
    return adapter.unconfigured.has(request.operation)
      ? fail("forbidden", "The operation is not turned on in this adapter's configuration.", {
          hint: "Turn it on with `connectors adapters add … --allow OPERATION`.",
        })
      : fail("unsupported", "This adapter has no operation of that name.");
  }
  const { revision = null } = request;
  if (revision !== null && revision !== operation.revision) {
    return fail("stale_description", "The operation's declaration is another one by now.");
  }
  return succeed({ adapter, operation });
}
