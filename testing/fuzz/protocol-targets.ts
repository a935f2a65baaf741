import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import {
  encodeCanonicalSubject,
  parseKid,
  parseProofClaims,
  parseSubject,
  type Parsed,
} from "@connectors/domain";
import { sha256Hex } from "@connectors/sdk";
import { parseExecStatus, parseStatus } from "@connectors/kubernetes-client/request";
import {
  decodeBase64url,
  encodeBase64url,
} from "../../packages/runtime/src/approvals/base64url.js";
import {
  decodeProof,
  encodeProof,
  encodeSignedPart,
} from "../../packages/runtime/src/approvals/proof-jws.js";
import { readInputFields } from "../../packages/cli/src/input/input-schema.js";
import { parseInput } from "../../packages/cli/src/input/parse-input.js";
import { damaged, makeTarget, type FuzzTarget } from "./target.js";

function holds(fact: boolean, what: string): void {
  if (!fact) throw new Error(what);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const keys = generateKeyPairSync("ed25519");
const digest = "a".repeat(64);

function parsed<T>(result: Parsed<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

const subject = parsed(
  parseSubject({
    format: "connectors.approval-subject/1",
    audience: "connectors.host/00000000-0000-4000-8000-000000000000",
    target: {
      instance: "prod",
      adapter: "kubernetes",
      operation: "pods.exec",
      connection: "prod",
      connection_revision: digest,
      provider: {
        base_url: "https://127.0.0.1:6443/",
        tls_name: "127.0.0.1",
        trust_sha256: digest,
        username: "admin",
      },
      contract: "operations/v1alpha1",
      profile: "mutation",
      descriptor_revision: digest,
      configuration_revision: digest,
    },
    authority: {
      tenant: null,
      realm: null,
      caller: "os:ada",
      executor: null,
      policy: { id: "local", revision: 1, sha256: digest },
    },
    origin: "direct",
    route: null,
    canonicalization: "connectors-jcs/1",
    input_sha256: digest,
    key_sha256: null,
    expires_at_ms: 1_000_000,
  }),
);
const claims = parsed(
  parseProofClaims({
    iss: "ada",
    aud: subject.audience,
    reference: "A".repeat(43),
    subject,
    subject_sha256: sha256Hex(encodeCanonicalSubject(subject)),
    iat: 5,
    nbf: 0,
    exp: 300,
  }),
);
const signedPart = encodeSignedPart(parsed(parseKid("A".repeat(43))), claims);
const valid = encodeProof(signedPart, sign(null, utf8(signedPart), keys.privateKey));
if (decodeProof(valid) === undefined) throw new Error("the undamaged proof is not well formed");

const tokens: FuzzTarget = makeTarget(
  "a damaged token is read as nothing, or does not verify",
  2,
  damaged(fc.constant(utf8(valid))),
  (bytes) => {
    const text = new TextDecoder().decode(bytes);
    const decoded = decodeProof(text);
    if (decoded === undefined || text === valid) return;
    holds(!verify(null, decoded.signed, keys.publicKey, decoded.signature), "a forgery verified");
  },
);

const base64url: FuzzTarget = makeTarget(
  "base64url has one text for one value",
  1,
  fc.string({ maxLength: 16 }),
  (text) => {
    const bytes = decodeBase64url(text);
    if (bytes !== undefined) holds(encodeBase64url(bytes) === text, "two texts for one value");
  },
);

const status = fc.record({
  kind: fc.constantFrom("Status", "status", "Pod"),
  apiVersion: fc.constantFrom("v1", "v2"),
  metadata: fc.constant({}),
  status: fc.constantFrom("Success", "Failure", "success"),
  reason: fc.constantFrom("NonZeroExitCode", "Conflict", "InternalError"),
  code: fc.integer({ min: 0, max: 1000 }),
  details: fc.record({
    name: fc.string({ maxLength: 8 }),
    causes: fc.array(
      fc.record({ reason: fc.constantFrom("ExitCode", "x"), message: fc.string({ maxLength: 4 }) }),
      { maxLength: 3 },
    ),
  }),
});

const statuses: FuzzTarget = makeTarget(
  "a Status is read whole or refused as the server's fault",
  3,
  damaged(status.map((value) => utf8(JSON.stringify(value)))),
  (bytes) => {
    for (const parse of [parseStatus, parseExecStatus]) {
      const parsed = parse(bytes);
      if (parsed.ok) holds(["Success", "Failure"].includes(parsed.value.status), "an open status");
      else holds(["upstream_protocol", "capacity"].includes(parsed.failure.code), "another code");
    }
  },
);

const fields = readInputFields({
  type: "object",
  properties: {
    namespace: { type: "string" },
    count: { type: "integer" },
    follow: { type: "boolean" },
    command: { type: "array", items: { type: "string" } },
    extra: { type: "object" },
  },
});
const word = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom("namespace", "count", "follow", "command", "extra", "__proto__"),
      fc.constantFrom("=", ":=", ":", ""),
      fc.string({ unit: "binary", maxLength: 8 }),
    )
    .map((parts) => parts.join("")),
);

const input: FuzzTarget = makeTarget(
  "command-line input is typed or refused, and never repeated raw",
  2,
  fc.record({
    pairs: fc.array(word, { maxLength: 4 }),
    command: fc.option(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 })),
  }),
  ({ pairs, command }) => {
    const parsed = parseInput({ pairs, command, text: null }, fields);
    if (parsed.ok) {
      const known = fields.map((field) => field.name);
      holds(
        Object.keys(parsed.value).every((name) => known.includes(name)),
        "an unknown field",
      );
      return;
    }
    // oxlint-disable-next-line no-control-regex
    holds(!/[\u0000-\u001f\u007f-\u009f]/.test(parsed.failure.message), "a raw control");
  },
);

/** Targets of what arrives over the wire or the command line. */
export const protocolTargets: readonly FuzzTarget[] = [tokens, base64url, statuses, input];
