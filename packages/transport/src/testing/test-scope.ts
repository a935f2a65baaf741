import type { Ambient, Failure, Outcome, ReadOptions, SendFailure } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import type { CertificatePair } from "../client-certificate.js";
import { makeCredentialLines, makeFixedCredential, type CredentialSource } from "../credential.js";
import { openScopedHttp, type ScopedHttp, type ScopedHttpOptions } from "../scoped-http.js";

/** Planted where a credential goes, to be looked for where none may be. */
export const plantedToken = "planted-secret-5f3a";

/** A fixed credential of one bearer token, and a client certificate where one is given. */
export function makeTestCredential(certificate?: CertificatePair): CredentialSource {
  const lines = [["Authorization", `Bearer ${plantedToken}`]] as const;
  return makeFixedCredential(given(makeCredentialLines(lines, certificate)));
}

/** A scope with a planted credential and the machine's time, unless said otherwise. */
export function openTestScope(
  baseUrl: string,
  more: Partial<ScopedHttpOptions> & { readonly ambient?: Ambient } = {},
): ScopedHttp {
  return given(
    openScopedHttp({
      baseUrl,
      credential: makeTestCredential(),
      ambient: makeSystemAmbient(),
      ...more,
    }),
  );
}

/** The value of an outcome; throws its failure. */
export function given<T, F>(outcome: Outcome<T, F>): T {
  if (!outcome.ok) throw new Error(`expected a value: ${JSON.stringify(outcome.failure)}`);
  return outcome.value;
}

/** The failure of an outcome; throws when there is none. */
export function failureOf<T, F = Failure>(outcome: Outcome<T, F>): F {
  if (outcome.ok) throw new Error("expected a failure, got a value");
  return outcome.failure;
}

/** `code` and `reason` of a read's failure; `sent` and both of a send's. */
export function summary(outcome: Outcome<unknown, Failure | SendFailure>): string {
  const failure = failureOf(outcome);
  if (!("sent" in failure)) return [failure.code, failure.reason ?? ""].join(" ").trim();
  const { code, reason } = failure.failure;
  return [failure.sent, code, reason ?? ""].join(" ").trim();
}

/** Options of a read without haste. */
export function reading(more: Partial<ReadOptions> = {}): ReadOptions {
  return { accept: "application/json", signal: new AbortController().signal, ...more };
}

/** The one target that most tests ask for. */
export const pods: { readonly segments: readonly string[] } = { segments: ["api", "v1", "pods"] };
