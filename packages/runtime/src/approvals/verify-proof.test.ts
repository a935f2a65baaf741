import { sign } from "node:crypto";
import {
  encodeCanonicalSubject,
  parseApprover,
  parseAudience,
  parseCaller,
  parseName,
  parsePolicyReference,
  proofBytesMax,
  type Approver,
  type Subject,
} from "@connectors/domain";
import { encodeCanonical, sha256Hex } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trusted } from "../identity/trusted.js";
import { digestOf } from "../journal/measure.js";
import { readPolicy } from "../policy/policy-document.js";
import { makeSampleSubject, sampleAudience } from "../testing/sample-subject.js";
import { decodeProof } from "./proof-jws.js";
import { signProof } from "./sign-proof.js";
import { makeSigningKey, type SigningKey } from "./signing-key.js";
import { verifyProof, type ProofQuestion } from "./verify-proof.js";

const nowMs = 1_767_225_600_000;
const nowS = nowMs / 1000;
const key = makeSigningKey(makeManualAmbient({ seed: 1 }).random);
const otherKey = makeSigningKey(makeManualAmbient({ seed: 2 }).random);
const subject = makeSampleSubject();

function makeApprover(of: SigningKey, members: object = {}): Approver {
  return trusted(
    parseApprover({
      name: "ada",
      kid: of.kid,
      public_key: of.publicKey,
      operations: ["*"],
      adapters: ["*"],
      state: "active",
      created_at_ms: 0,
      changed_at_ms: 0,
      ...members,
    }),
    "an approver",
  );
}

const matching = readPolicy({
  format: "connectors.policy/1",
  id: "local",
  rules: [
    {
      callers: ["os:ada", "os:bob"],
      adapters: ["prod"],
      operation: "thing.change",
      namespaces: ["web"],
      names: ["*"],
      approvers: ["ada"],
      self_approval: "allowed",
    },
  ],
});
const rules = matching.ok ? matching.value.rules : [];

const question: ProofQuestion = {
  subject,
  audience: subject.audience,
  approvers: [makeApprover(key)],
  policy: subject.authority.policy,
  rules,
  nowMs,
};

function prove(of: Subject = subject, by: SigningKey = key, name = "ada", atMs = nowMs): string {
  return signProof({
    key: by,
    approver: trusted(parseName(name), "a name"),
    subject: of,
    subjectSha256: digestOf(encodeCanonicalSubject(of)),
    nowMs: atMs,
    random: makeManualAmbient({ seed: 5 }).random,
  }).jws;
}

function reasonOf(jws: string, members: Partial<ProofQuestion> = {}): string {
  const verified = verifyProof(jws, { ...question, ...members });
  return verified.ok ? "good" : `${verified.failure.code}/${verified.failure.reason}`;
}

const refused = (reason: string): string => `approval_refused/${reason}`;

/** Signs whatever it is given, as a forger who holds a known key could. */
function forge(header: string, claims: string, by: SigningKey = key): string {
  const part = [header, claims].map((text) => Buffer.from(text).toString("base64url")).join(".");
  return `${part}.${sign(null, Buffer.from(part), by.privateKey).toString("base64url")}`;
}

const goodHeader = { alg: "Ed25519", kid: key.kid, typ: "connectors-approval+jws" };
const goodClaims = {
  iss: "ada",
  aud: sampleAudience,
  reference: "r".repeat(42) + "A",
  subject: JSON.parse(encodeCanonicalSubject(subject)),
  subject_sha256: sha256Hex(encodeCanonicalSubject(subject)),
  iat: nowS,
  nbf: nowS - 5,
  exp: nowS + 295,
};

function forgeWith(header: object, claims: object): string {
  return forge(
    encodeCanonical({ ...goodHeader, ...header }),
    encodeCanonical({ ...goodClaims, ...claims }),
  );
}

describe("a proof", () => {
  test("that an approver of this host signed for this subject is good", () => {
    const verified = verifyProof(prove(), question);
    expect(verified).toMatchObject({
      ok: true,
      value: { issuer: "ada", kid: key.kid, nbf_ms: nowMs - 5000, exp_ms: nowMs + 295_000 },
    });
  });

  test("made by hand in the one canonical form is good too", () => {
    expect(reasonOf(forgeWith({}, {}))).toBe("good");
  });

  test("has a reference of its own each time", () => {
    const random = makeManualAmbient().random;
    const facts = { key, approver: trusted(parseName("ada"), "a name"), subject, nowMs, random };
    const subjectSha256 = digestOf(encodeCanonicalSubject(subject));
    const references = Array.from({ length: 50 }, () => {
      const { jws } = signProof({ ...facts, subjectSha256 });
      return decodeProof(jws)?.claims.reference;
    });
    expect(new Set(references).size).toBe(50);
  });
});

describe("the form of a proof", () => {
  const [head = "", body = "", signature = ""] = prove().split(".");
  const text = (part: string): string => Buffer.from(part, "base64url").toString();

  test.each([
    ["empty", ""],
    ["of two parts", `${head}.${body}`],
    ["of four parts", `${head}.${body}.${signature}.`],
    ["with white space", `${prove()}\n`],
    ["with a padded header", `${head}=.${body}.${signature}`],
    ["with a padded signature", `${head}.${body}.${signature}==`],
    ["with a short signature", `${head}.${body}.${signature.slice(0, -4)}`],
    ["in the other alphabet", prove().replaceAll("-", "+").replaceAll("_", "/") + "+"],
    ["with alg none", forgeWith({ alg: "none" }, {})],
    ["with alg EdDSA", forgeWith({ alg: "EdDSA" }, {})],
    ["with alg HS256", forgeWith({ alg: "HS256" }, {})],
    ["with another typ", forgeWith({ typ: "JWT" }, {})],
    ["with a jwk of its own", forgeWith({ jwk: { kty: "OKP" } }, {})],
    ["with crit", forgeWith({ crit: ["exp"] }, {})],
    ["without a typ", forge(encodeCanonical({ alg: "Ed25519", kid: key.kid }), text(body))],
    ["with a member too many in its claims", forgeWith({}, { admin: true })],
    ["with a member too few", forge(text(head), text(body).replace(/,"nbf":\d+/, ""))],
    ["with a fraction", forge(text(head), text(body).replace(/"iat":(\d+)/, '"iat":$1.0'))],
    ["with an exponent", forge(text(head), text(body).replace(/"iat":(\d+)/, '"iat":$1e0'))],
    ["with a member twice", forge(text(head), text(body).replace("{", '{"aud":"x",'))],
    ["with spaces", forge(text(head), JSON.stringify(JSON.parse(text(body)), null, 1))],
    ["with another order", forge(text(head), JSON.stringify(reverse(JSON.parse(text(body)))))],
    ["with an escape", forge(text(head), text(body).replace("prod", "pr\\u006fd"))],
    ["with a later nbf", forgeWith({}, { nbf: nowS })],
    ["with a longer life", forgeWith({}, { exp: nowS + 86_400 })],
    ["with a null reference", forgeWith({}, { reference: null })],
    ["with a digest of something else", forgeWith({}, { subject_sha256: "0".repeat(64) })],
    ["longer than any", "A".repeat(proofBytesMax + 1)],
  ])("%s is refused", (_what, jws) => {
    expect(reasonOf(jws)).toBe(refused("bad_signature"));
  });

  test("has one text: the same claims in another form are refused under a good signature", () => {
    const encode = (json: string): string => Buffer.from(json).toString("base64url");
    const claims = text(body);
    const others = [
      `${head}.${encode(`${claims} `)}.${signature}`,
      `${head}.${encode(JSON.stringify(reverse(JSON.parse(claims))))}.${signature}`,
      `${head}.${encode(claims.replace("prod", "pr\\u006fd"))}.${signature}`,
      `${encode(JSON.stringify(JSON.parse(text(head)), null, 1))}.${body}.${signature}`,
    ];
    for (const other of others) {
      expect(other).not.toBe(prove());
      expect(reasonOf(other)).toBe(refused("bad_signature"));
    }
  });

  test("does not survive the change of any one character", () => {
    const good = prove();
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.constantFrom("A", "a", "0", "_", "-", ".", "="),
        (at, letter) => {
          fc.pre(good[at] !== letter);
          expect(reasonOf(good.slice(0, at) + letter + good.slice(at + 1))).not.toBe("good");
        },
      ),
      { numRuns: 500 },
    );
  });

  test("is decided without a throw for any text", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom(head, body, signature, ""));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const jws = parts.join(".");
        expect(decodeProof(jws) === undefined || jws === prove()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

function reverse(value: object): object {
  return Object.fromEntries(Object.entries(value).toReversed());
}

describe("a proof is refused", () => {
  test("as unknown_key when no approver has the key, or another one has", () => {
    expect(reasonOf(prove(subject, otherKey))).toBe(refused("unknown_key"));
    expect(reasonOf(prove(), { approvers: [] })).toBe(refused("unknown_key"));
    expect(reasonOf(prove(subject, key, "bob"))).toBe(refused("unknown_key"));
  });

  test("as revoked_key at once, and when a retired key signed later or too long ago", () => {
    const revoked = makeApprover(key, { state: "revoked" });
    expect(reasonOf(prove(), { approvers: [revoked] })).toBe(refused("revoked_key"));
    const retiredAt = (atMs: number): Approver[] => [
      makeApprover(key, { state: "retired", changed_at_ms: atMs }),
    ];
    expect(reasonOf(prove(), { approvers: retiredAt(nowMs) })).toBe("good");
    const before = prove(subject, key, "ada", nowMs - 1000);
    expect(reasonOf(before, { approvers: retiredAt(nowMs - 1000) })).toBe("good");
    expect(reasonOf(prove(), { approvers: retiredAt(nowMs - 10_000) })).toBe(
      refused("revoked_key"),
    );
    expect(reasonOf(before, { approvers: retiredAt(nowMs - 295_000) })).toBe(
      refused("revoked_key"),
    );
  });

  test("as bad_signature when another key signed under this kid", () => {
    const impostor = { ...otherKey, kid: key.kid };
    expect(reasonOf(prove(subject, impostor))).toBe(refused("bad_signature"));
  });

  test("as wrong_audience when it was signed for another host", () => {
    const elsewhere = "connectors.host/0c0ffee0-0000-4000-8000-000000000002";
    const foreign = makeSampleSubject({ audience: elsewhere });
    expect(reasonOf(prove(foreign))).toBe(refused("wrong_audience"));
    const audience = trusted(parseAudience(elsewhere), "an audience");
    expect(reasonOf(prove(), { audience })).toBe(refused("wrong_audience"));
  });

  test("as policy_changed when the policy is another one, or none", () => {
    const reference = (members: object): ProofQuestion["policy"] =>
      trusted(parsePolicyReference({ ...subject.authority.policy, ...members }), "a policy");
    expect(reasonOf(prove(), { policy: reference({ revision: 2 }) })).toBe(
      refused("policy_changed"),
    );
    expect(reasonOf(prove(), { policy: reference({ id: "other" }) })).toBe(
      refused("policy_changed"),
    );
    expect(reasonOf(prove(), { policy: reference({ sha256: "1".repeat(64) }) })).toBe(
      refused("policy_changed"),
    );
    expect(reasonOf(prove(), { policy: null })).toBe(refused("policy_changed"));
  });

  test("as not_permitted by the table's operations and adapters, and by the rules", () => {
    const only = (members: object): Approver[] => [makeApprover(key, members)];
    expect(reasonOf(prove(), { approvers: only({ operations: ["pods.exec"] }) })).toBe(
      refused("not_permitted"),
    );
    expect(reasonOf(prove(), { approvers: only({ adapters: ["staging"] }) })).toBe(
      refused("not_permitted"),
    );
    expect(reasonOf(prove(), { rules: [] })).toBe(refused("not_permitted"));
    const bob = makeApprover(key, { name: "bob" });
    expect(reasonOf(prove(subject, key, "bob"), { approvers: [bob] })).toBe(
      refused("not_permitted"),
    );
  });

  test("as not_permitted when the caller approves and no rule allows that", () => {
    const strict = rules.map((rule) => ({ ...rule, self_approval: "forbidden" as const }));
    expect(reasonOf(prove(), { rules: strict })).toBe(refused("not_permitted"));
    const bobs = makeSampleSubject({
      authority: { ...subject.authority, caller: trusted(parseCaller("os:bob"), "a caller") },
    });
    expect(reasonOf(prove(bobs), { subject: bobs, rules: strict })).toBe("good");
  });

  test.each([
    ["input", { input_sha256: "1".repeat(64) }],
    ["key", { key_sha256: "1".repeat(64) }],
    ["limit", { expires_at_ms: subject.expires_at_ms + 1 }],
    ["operation", { target: { ...subject.target, operation: "thing.remove" } }],
    ["cluster", { target: { ...subject.target, connection_revision: "1".repeat(64) } }],
    ["caller", { authority: { ...subject.authority, caller: "os:bob" } }],
  ])("as wrong_subject when it was signed for another %s", (_what, members) => {
    expect(reasonOf(prove(makeSampleSubject(members)))).toBe(refused("wrong_subject"));
  });

  test("as not_yet_valid before its window, and as expired from its end on", () => {
    const at = (ms: number): string => reasonOf(prove(), { nowMs: ms });
    expect(at(nowMs - 5001)).toBe(refused("not_yet_valid"));
    expect(at(nowMs - 5000)).toBe("good");
    expect(at(nowMs + 294_999)).toBe("good");
    expect(at(nowMs + 295_000)).toBe(refused("expired"));
  });

  test("as expired when the frozen write may wait no longer", () => {
    const short = makeSampleSubject({ expires_at_ms: nowMs + 10 });
    const jws = prove(short);
    expect(reasonOf(jws, { subject: short, nowMs: nowMs + 9 })).toBe("good");
    expect(reasonOf(jws, { subject: short, nowMs: nowMs + 10 })).toBe(refused("expired"));
  });

  test("for the first reason in a fixed order when there are several", () => {
    const foreign = makeSampleSubject({
      audience: "connectors.host/0c0ffee0-0000-4000-8000-000000000002",
    });
    const late = { nowMs: nowMs + 999_999, policy: null, rules: [] };
    expect(reasonOf(prove(foreign, otherKey), late)).toBe(refused("unknown_key"));
    expect(reasonOf(prove(foreign), late)).toBe(refused("wrong_audience"));
    expect(reasonOf(prove(makeSampleSubject({ input_sha256: "2".repeat(64) })), late)).toBe(
      refused("policy_changed"),
    );
  });
});
