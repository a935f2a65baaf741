export { journalContract } from "./journal-contract.js";
export { makeFaultyJournal, type FaultyJournal } from "./journal-faults.js";
export {
  fixtureAttemptId,
  fixtureFingerprint,
  fixtureKey,
  fixtureKid,
  fixtureName,
  fixtureNonce,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureAttempt,
  makeFixtureDraft,
  makeFixtureOutcome,
  makeFixtureOwner,
  makeFixturePolicy,
  makeFixtureProof,
  nameFixturePolicy,
} from "./journal-fixtures.js";
export type { CommitFault, JournalHarness, JournalProcess } from "./journal-harness.js";
export {
  abandonRequest,
  abortRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  recoverRequest,
  refusalRequest,
  releaseOwnerRequest,
  settleRequest,
} from "./journal-requests.js";
export type { JournalCase } from "./journal-scene.js";
export { tapJournal, type JournalTap } from "./journal-tap.js";
export {
  changeDeclaration,
  getDeclaration,
  pokeDeclaration,
  runDeclaration,
  scriptedDeclarations,
} from "./scripted-declarations.js";
export {
  appliedWith,
  makeScriptedProvider,
  scriptedPlace,
  type ProviderScript,
  type ScriptedProvider,
  type SeenByProvider,
  type SeenDispatch,
} from "./scripted-provider.js";
