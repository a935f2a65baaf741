import type { Duplex } from "node:stream";

import type { ExecSession, KubeletView } from "../exec/session.js";
import type { FaultEngine } from "../faults/engine.js";
import type { Surroundings } from "../ports.js";
import type { Gate } from "./gate.js";
import type { RequestLog } from "./request-log.js";
import type { Api } from "./route.js";

/** What answering requests needs. */
export interface ExchangeContext {
  readonly api: Api;
  readonly gate: Gate;
  readonly log: RequestLog;
  readonly faults: () => FaultEngine;
  readonly kubelet: KubeletView;
  readonly surroundings: Surroundings;
  readonly openExec: (session: ExecSession) => void;
  /** Ends a connection with an RST. */
  readonly reset: (socket: Duplex) => void;
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}
