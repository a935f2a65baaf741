import {
  encodeCanonicalProvider,
  parseProvider,
  parseSubject,
  type Subject,
} from "@connectors/domain";
import { sha256Hex } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";

/** A name for 64 hex digits that mean nothing. */
export function sampleDigest(of: string): string {
  return sha256Hex(of);
}

/** The audience of the sample host. */
export const sampleAudience = "connectors.host/0c0ffee0-0000-4000-8000-000000000001";

const provider = {
  base_url: "https://127.0.0.1:6443/",
  tls_name: "127.0.0.1",
  trust_sha256: sampleDigest("trust"),
  username: "system:serviceaccount:web:restarter",
};

/** A subject that fits its model, with some members of its top level replaced. */
export function makeSampleSubject(members: { readonly [member: string]: unknown } = {}): Subject {
  return trusted(
    parseSubject({
      format: "connectors.approval-subject/1",
      audience: sampleAudience,
      target: {
        instance: "prod",
        adapter: "scripted",
        operation: "thing.change",
        connection: "prod",
        connection_revision: sha256Hex(encodeCanonicalProvider(trustedProvider())),
        provider,
        contract: "operations/v1alpha1",
        profile: "mutation",
        descriptor_revision: sampleDigest("descriptor"),
        configuration_revision: sampleDigest("configuration"),
      },
      authority: {
        tenant: null,
        realm: null,
        caller: "os:ada",
        executor: null,
        policy: { id: "local", revision: 1, sha256: sampleDigest("policy") },
      },
      origin: "direct",
      route: null,
      canonicalization: "connectors-jcs/1",
      input_sha256: sampleDigest("input"),
      key_sha256: null,
      expires_at_ms: 1_767_225_600_000 + 600_000,
      ...members,
    }),
    "the sample subject fits its model",
  );
}

function trustedProvider(): Subject["target"]["provider"] {
  return trusted(parseProvider(provider), "the sample provider fits its model");
}
