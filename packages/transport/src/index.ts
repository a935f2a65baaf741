export type { CertificatePair } from "./client-certificate.js";
export {
  isSameCredential,
  makeCredentialLines,
  makeFixedCredential,
  type CredentialLine,
  type CredentialLines,
  type CredentialSource,
} from "./credential.js";
export type { ScopeLimits } from "./reach.js";
export {
  openScopedHttp,
  type CapturedHttp,
  type ScopedHttp,
  type ScopedHttpOptions,
} from "./scoped-http.js";
export type { TlsOptions } from "./trust.js";
export { makeUpgradeBounds } from "./upgrade-bounds.js";
export { makeWriteSource } from "./write-source.js";
