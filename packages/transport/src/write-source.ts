import { succeed, type WriteSource } from "@connectors/sdk";
import type { ScopedHttp } from "./scoped-http.js";

/** Writes of `scope`, as often as asked, one capability a request; for direct clients alone. */
export function makeWriteSource(scope: ScopedHttp): WriteSource {
  return { open: () => Promise.resolve(succeed(scope.intoWrite())) };
}
