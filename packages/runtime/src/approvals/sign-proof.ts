import { sign } from "node:crypto";
import {
  parseProofClaims,
  proofBackdateS,
  proofLifetimeS,
  type Name,
  type Sha256,
  type Subject,
} from "@connectors/domain";
import type { Proof, Random } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";
import { encodeBase64url } from "./base64url.js";
import { encodeProof, encodeSignedPart } from "./proof-jws.js";
import type { SigningKey } from "./signing-key.js";

const referenceBytes = 32;

/** A proof that this approver approves this subject, good from now for a proof's lifetime. */
export function signProof(request: {
  readonly key: SigningKey;
  readonly approver: Name;
  readonly subject: Subject;
  readonly subjectSha256: Sha256;
  readonly nowMs: number;
  readonly random: Random;
}): Proof {
  const iat = Math.floor(request.nowMs / 1000);
  const claims = trusted(
    parseProofClaims({
      iss: request.approver,
      aud: request.subject.audience,
      reference: encodeBase64url(request.random.bytes(referenceBytes)),
      subject: request.subject,
      subject_sha256: request.subjectSha256,
      iat,
      nbf: iat - proofBackdateS,
      exp: iat + proofLifetimeS,
    }),
    "a proof's claims fit their model",
  );
  const signedPart = encodeSignedPart(request.key.kid, claims);
  const signature = sign(null, new TextEncoder().encode(signedPart), request.key.privateKey);
  return { jws: encodeProof(signedPart, new Uint8Array(signature)) };
}
