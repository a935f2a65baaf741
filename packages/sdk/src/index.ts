export type {
  Adapter,
  AdapterDescription,
  CheckedInput,
  Json,
  JsonObject,
  Needs,
  Observed,
  PolicyFacts,
  PreparedWrite,
  ProviderCorrelation,
  Settlement,
  WriteCapability,
} from "./adapter.js";
export type { Approver, PreparedBytes, Proof } from "./approver.js";
export { encodeCanonical } from "./canonical.js";
export type { Ambient, Clock, Random, Timers } from "./clock.js";
export type { CapturedConnection, Connection, ConnectionDescription } from "./connection.js";
export { sha256Hex } from "./digest.js";
export type {
  AuthenticatedCheck,
  AuthenticatedHttp,
  AuthenticatedUpgrade,
  AuthenticatedWrite,
  HttpAnswer,
  HttpPrefix,
  HttpStream,
  HttpTarget,
  MessageStream,
  Query,
  ReadOptions,
  ReviewPath,
  SendFailure,
  StreamEnd,
  UpgradeBounds,
  UpgradeOutcome,
  WriteRequest,
  WriteSource,
} from "./http.js";
export { parseJson, type JsonBounds } from "./json.js";
export {
  fail,
  failWith,
  invariant,
  makeFailure,
  succeed,
  unreachable,
  type Failure,
  type FailureDetail,
  type Outcome,
} from "./outcome.js";
