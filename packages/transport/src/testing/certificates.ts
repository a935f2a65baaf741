import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}
export interface TestCertificates {
  readonly ca: Buffer;
  readonly otherCa: Buffer;
  /** For localhost, 127.0.0.1, ::1 and cluster.test. */
  readonly server: Pair;
  readonly wrongName: Pair;
  readonly expired: Pair;
  readonly untrusted: Pair;
  readonly client: Pair;
  readonly otherClient: Pair;
}

let made: TestCertificates | undefined;

export function testCertificates(): Promise<TestCertificates> {
  made ??= make();
  return Promise.resolve(made);
}

function make(): TestCertificates {
  const dir = mkdtempSync(join(tmpdir(), "pki-"));
  const run = (args: string[]): void => {
    execFileSync("openssl", args, { cwd: dir, stdio: "pipe" });
  };
  const read = (name: string): Buffer => readFileSync(join(dir, name));
  function ca(name: string): Buffer {
    run(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`]);
    run([
      "req",
      "-x509",
      "-new",
      "-key",
      `${name}.key`,
      "-subj",
      `/CN=${name}`,
      "-days",
      "30",
      "-out",
      `${name}.pem`,
    ]);
    writeFileSync(join(dir, `${name}.txt`), "");
    writeFileSync(join(dir, `${name}.srl`), "1000\n");
    writeFileSync(
      join(dir, `${name}.cnf`),
      `[ca]\ndefault_ca=d\n[d]\ndatabase=${name}.txt\nserial=${name}.srl\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\nunique_subject=no\n[p]\ncommonName=supplied\n`,
    );
    return read(`${name}.pem`);
  }
  function leaf(name: string, issuer: string, san: string, end = "20400101000000Z"): Pair {
    run(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`]);
    run([
      "req",
      "-new",
      "-key",
      `${name}.key`,
      "-subj",
      `/CN=${name}`,
      "-addext",
      `subjectAltName=${san}`,
      "-out",
      `${name}.csr`,
    ]);
    run([
      "ca",
      "-batch",
      "-notext",
      "-config",
      `${issuer}.cnf`,
      "-cert",
      `${issuer}.pem`,
      "-keyfile",
      `${issuer}.key`,
      "-in",
      `${name}.csr`,
      "-startdate",
      "20200101000000Z",
      "-enddate",
      end,
      "-out",
      `${name}.pem`,
    ]);
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
  }
  const names = "DNS:localhost,DNS:cluster.test,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1";
  const result = {
    ca: ca("one"),
    otherCa: ca("two"),
    server: leaf("server", "one", names),
    wrongName: leaf("wrong", "one", "DNS:elsewhere.test"),
    expired: leaf("expired", "one", names, "20210101000000Z"),
    untrusted: leaf("untrusted", "two", names),
    client: leaf("ada", "one", "DNS:ada"),
    otherClient: leaf("bob", "two", "DNS:bob"),
  };
  rmSync(dir, { recursive: true });
  return result;
}
