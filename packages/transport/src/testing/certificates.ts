import { openAuthority, type Authority } from "@connectors/kubernetes-simulator";
import { makeSystemAmbient } from "@connectors/sdk/testing";

/** PEM, as TLS takes it. */
export interface PemPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** What two authorities have issued for these tests; only the first is trusted. */
export interface TestCertificates {
  readonly ca: Buffer;
  readonly otherCa: Buffer;
  /** For localhost, 127.0.0.1, ::1 and cluster.test. */
  readonly server: PemPair;
  readonly wrongName: PemPair;
  readonly expired: PemPair;
  readonly untrusted: PemPair;
  readonly client: PemPair;
  readonly otherClient: PemPair;
}

const hosts = ["localhost", "127.0.0.1", "::1", "cluster.test"];
let made: Promise<TestCertificates> | undefined;

/** The certificates, made once for all tests of a process. */
export function testCertificates(): Promise<TestCertificates> {
  made ??= issueAll();
  return made;
}

async function issueAll(): Promise<TestCertificates> {
  const { random } = makeSystemAmbient();
  const trusted = await openAuthority("trusted", random);
  const other = await openAuthority("other", random);
  return {
    ca: Buffer.from(trusted.certificatePem),
    otherCa: Buffer.from(other.certificatePem),
    server: pemOf(await trusted.issueServer(hosts)),
    wrongName: pemOf(await trusted.issueServer(["elsewhere.test"])),
    expired: await issueUser(trusted, "expired"),
    untrusted: pemOf(await other.issueServer(hosts)),
    client: await issueUser(trusted, "valid"),
    otherClient: await issueUser(other, "valid"),
  };
}

async function issueUser(authority: Authority, validity: "valid" | "expired"): Promise<PemPair> {
  return pemOf(await authority.issueClient({ name: "ada", groups: ["dev"], validity }));
}

function pemOf(pair: { readonly certificatePem: string; readonly keyPem: string }): PemPair {
  return { cert: Buffer.from(pair.certificatePem), key: Buffer.from(pair.keyPem) };
}
