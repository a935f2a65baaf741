import { createHash, timingSafeEqual } from "node:crypto";

import { simulatorBounds } from "../bounds.js";
import type { Authority, CertificatePair, ClientCertificate } from "../pki.js";
import type { Random } from "../ports.js";
import { AUTHENTICATED, type Identity } from "./authorizer.js";
import type { AccessRule } from "./rule.js";

/** A user to add. */
export interface UserOptions {
  readonly name: string;
  /** Beside `system:authenticated`, which everybody is in. */
  readonly groups?: readonly string[];
  /** A bearer token to use; a random one is made when it is absent. */
  readonly token?: string;
  /** Also makes a client certificate; a validity other than "valid" is refused at the door. */
  readonly clientCertificate?: true | ClientCertificate["validity"];
  readonly rules?: readonly AccessRule[];
}

/** How a user can prove who they are. */
export interface UserCredential {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
  readonly certificate?: CertificatePair;
}

/** The users of a simulator. */
export interface Users {
  /** Adds a user, or replaces the one of that name, credentials included. */
  readonly add: (options: UserOptions) => Promise<UserCredential>;
  readonly remove: (name: string) => void;
  /** Replaces what a user may do. */
  readonly setRules: (name: string, rules: readonly AccessRule[]) => void;
  readonly rulesOf: (name: string) => readonly AccessRule[];
  readonly credential: (name: string) => UserCredential | undefined;
  readonly names: () => readonly string[];
  /** Who holds a bearer token. */
  readonly byToken: (token: string) => Identity | undefined;
  /** The identity that a verified client certificate gives. */
  readonly byCertificate: (subject: CertificateSubject) => Identity;
}

/** What a verified client certificate says. */
export interface CertificateSubject {
  readonly name: string;
  readonly groups: readonly string[];
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string;
}

interface Entry {
  readonly credential: UserCredential;
  readonly uid: string;
  readonly tokenHash: Buffer;
  rules: readonly AccessRule[];
}

/** No users yet; certificates come from `authority`. */
export function makeUsers(authority: Authority, random: Random): Users {
  const entries = new Map<string, Entry>();
  return {
    add: async (options) => {
      if (entries.size >= simulatorBounds.usersMax && !entries.has(options.name)) {
        throw new RangeError(`a simulator has at most ${simulatorBounds.usersMax} users`);
      }
      const entry = await makeEntry(options, authority, random);
      entries.set(options.name, entry);
      return entry.credential;
    },
    remove: (name) => {
      entries.delete(name);
    },
    setRules: (name, rules) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new RangeError(`there is no user ${JSON.stringify(name)}`);
      entry.rules = rules;
    },
    rulesOf: (name) => entries.get(name)?.rules ?? [],
    credential: (name) => entries.get(name)?.credential,
    names: () => [...entries.keys()],
    byToken: (token) => {
      const hash = hashToken(token);
      for (const { credential, uid, tokenHash } of entries.values()) {
        if (timingSafeEqual(hash, tokenHash)) {
          return { name: credential.name, uid, groups: [...credential.groups, AUTHENTICATED] };
        }
      }
      return undefined;
    },
    byCertificate: ({ name, groups, fingerprint }) => ({
      name,
      groups: [...groups, AUTHENTICATED],
      extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
    }),
  };
}

async function makeEntry(
  options: UserOptions,
  authority: Authority,
  random: Random,
): Promise<Entry> {
  const { name, groups = [], clientCertificate, rules = [] } = options;
  const token = options.token ?? Buffer.from(random.bytes(24)).toString("base64url");
  const certificate =
    clientCertificate === undefined
      ? undefined
      : await authority.issueClient({
          name,
          groups,
          validity: clientCertificate === true ? "valid" : clientCertificate,
        });
  return {
    credential: {
      name,
      groups,
      token,
      ...(certificate === undefined ? {} : { certificate }),
    },
    uid: Buffer.from(random.bytes(16)).toString("hex"),
    tokenHash: hashToken(token),
    rules,
  };
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
