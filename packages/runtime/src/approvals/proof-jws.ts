import {
  encodeCanonicalProofClaims,
  encodeCanonicalProofHeader,
  encodeCanonicalSubject,
  jsonDepthMax,
  parseProofClaims,
  parseProofHeader,
  proofBackdateS,
  proofBytesMax,
  proofLifetimeS,
  type Kid,
  type Parsed,
  type ProofClaims,
  type ProofHeader,
} from "@connectors/domain";
import { parseJson } from "@connectors/sdk";
import { digestOf } from "../journal/measure.js";
import { decodeBase64url, encodeBase64url } from "./base64url.js";

/** A proof taken apart; nothing of it has been verified. */
export interface DecodedProof {
  readonly kid: Kid;
  readonly claims: ProofClaims;
  /** What the signature is over. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

const signatureBytes = 64;

/** The part of a proof that is signed: canonical header and claims, unpadded base64url. */
export function encodeSignedPart(kid: Kid, claims: ProofClaims): string {
  const header: ProofHeader = { alg: "Ed25519", kid, typ: "connectors-approval+jws" };
  const parts = [encodeCanonicalProofHeader(header), encodeCanonicalProofClaims(claims)];
  return parts.map((part) => encodeBase64url(new TextEncoder().encode(part))).join(".");
}

/** The whole compact JWS. */
export function encodeProof(signedPart: string, signature: Uint8Array): string {
  return `${signedPart}.${encodeBase64url(signature)}`;
}

/**
 * The parts of a well-formed proof, or undefined.
 *
 * Well-formed is exact: header and claims have the modelled members and no others, are canonical
 * JSON in canonical base64url, and encode again to the very text that was read. So there is one
 * text for one proof, and no room for `alg`, `jwk` or `crit` of the token's own choosing.
 */
export function decodeProof(jws: string): DecodedProof | undefined {
  if (jws.length > proofBytesMax) return undefined;
  const [headerText = "", claimsText = "", signatureText = "", ...rest] = jws.split(".");
  if (rest.length > 0) return undefined;
  const header = readPart(headerText, parseProofHeader);
  const claims = readPart(claimsText, parseProofClaims);
  const signature = decodeBase64url(signatureText);
  if (header === undefined || claims === undefined) return undefined;
  if (signature?.byteLength !== signatureBytes) return undefined;
  const signedPart = encodeSignedPart(header.kid, claims);
  if (encodeProof(signedPart, signature) !== jws || !areClaimsWhole(claims)) return undefined;
  return { kid: header.kid, claims, signed: new TextEncoder().encode(signedPart), signature };
}

function readPart<T>(text: string, parse: (value: unknown) => Parsed<T>): T | undefined {
  const bytes = decodeBase64url(text);
  if (bytes === undefined) return undefined;
  const json = parseJson(bytes, { bytesMax: proofBytesMax, depthMax: jsonDepthMax });
  if (!json.ok) return undefined;
  const parsed = parse(json.value);
  return parsed.ok ? parsed.value : undefined;
}

// A proof that names another digest than its own subject's, or a longer life, was not made by us.
function areClaimsWhole(claims: ProofClaims): boolean {
  return (
    claims.nbf === claims.iat - proofBackdateS &&
    claims.exp === claims.iat + proofLifetimeS &&
    claims.subject_sha256 === digestOf(encodeCanonicalSubject(claims.subject))
  );
}
