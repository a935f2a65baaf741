export type { AccessRule } from "./access/rule.js";
export type { UserCredential, UserOptions } from "./access/users.js";
export type {
  AdmissionHook,
  AdmissionMatch,
  AdmissionOperation,
  AdmissionPhase,
  WebhookDenial,
} from "./admission/hook.js";
export { simulatorBounds } from "./bounds.js";
export { DEFAULT_PACE, type Pace } from "./controllers/pace.js";
export { defaultSeed } from "./default-seed.js";
export type { CommandRecord } from "./exec/command-log.js";
export { execBounds } from "./exec/exec-bounds.js";
export {
  textFrame,
  type ExecScript,
  type ScriptedCommand,
  type ScriptEnd,
  type ScriptFrame,
  type ScriptTarget,
} from "./exec/script.js";
export type { KubeletState } from "./exec/session.js";
export type {
  ExecHandshakeFault,
  ExecStreamFault,
  HandshakeBreak,
  StreamAct,
  StreamMoment,
} from "./faults/exec-fault.js";
export type {
  Fault,
  FaultAnswer,
  FaultMatch,
  FaultMoment,
  FaultRule,
  RequestFault,
} from "./faults/fault.js";
export { FAULTS_FORMAT, parseFaults } from "./faults/parse-faults.js";
export type { Issue, Parsed } from "./faults/untrusted.js";
export type { RequestRecord } from "./http/request-log.js";
export type { JsonArray, JsonObject, JsonValue } from "./json-value.js";
export type { ObjectRevision, SimulatorObjects } from "./objects-facade.js";
export { parseSeed } from "./parse-seed.js";
export {
  openAuthority,
  type Authority,
  type CertificatePair,
  type ClientCertificate,
} from "./pki.js";
export type { Clock, Random, Surroundings, Timers } from "./ports.js";
export type { ClusterSeed } from "./seed.js";
export {
  openSimulator,
  type Simulator,
  type SimulatorFaults,
  type SimulatorOptions,
  type SimulatorSeed,
} from "./simulator.js";
export type { Status, StatusCause, StatusDetails } from "./status.js";
export type { RevisionType } from "./store/object-store.js";
export type {
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  StoredObject,
} from "./store/stored-object.js";
