import {
  invariant,
  type Needs,
  type PreparedWrite,
  type Settlement,
  type WriteCapability,
} from "@connectors/sdk";

/** How a prepared effect uses its one capability. */
export type Dispatch = (
  capability: WriteCapability,
  options: { readonly correlation: string; readonly signal: AbortSignal },
) => Promise<Settlement>;

/** A prepared write that is good for one `execute`; a second one, or one after `cancel`, throws. */
export function makePreparedWrite(needs: Needs, dispatch: Dispatch): PreparedWrite {
  let unused: Dispatch | undefined = dispatch;
  return {
    needs,
    execute(capability, options) {
      const use = unused;
      unused = undefined;
      invariant(use !== undefined, "a prepared write is executed once");
      invariant(capability.kind === needs.kind, "a prepared write gets what it needs");
      return use(capability, options);
    },
    cancel() {
      unused = undefined;
    },
  };
}
