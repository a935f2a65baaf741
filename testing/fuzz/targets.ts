import { jsonTargets } from "./json-targets.js";
import { protocolTargets } from "./protocol-targets.js";
import type { FuzzTarget } from "./target.js";

/** Every parser of foreign bytes that is fuzzed, in process. */
export const fuzzTargets: readonly FuzzTarget[] = [...jsonTargets, ...protocolTargets];
