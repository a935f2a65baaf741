import { fail, succeed, type Outcome } from "@connectors/sdk";
import {
  makeCredentialLines,
  type CredentialLine,
  type CredentialLines,
} from "@connectors/transport";
import type { SecretText } from "./secret-text.js";
import type { Impersonation } from "./user-settings.js";

/** A credential whose files were read and whose plugin has run. */
export interface CredentialParts {
  readonly authorization:
    | { readonly kind: "none" }
    | { readonly kind: "token"; readonly token: SecretText }
    | { readonly kind: "basic"; readonly username: string; readonly password: SecretText };
  readonly certificate: { readonly pem: SecretText; readonly key: SecretText } | null;
  readonly impersonation: Impersonation | null;
}

const visibleAscii = /^[!-~]+$/;

/**
 * The header lines and the client certificate of one credential: Authorization, then whom it acts
 * as. `invalid_input` for what cannot be sent; no message repeats a value.
 */
export function encodeCredential(parts: CredentialParts): Outcome<CredentialLines> {
  const authorization = encodeAuthorization(parts.authorization);
  if (!authorization.ok) return authorization;
  const lines = [...authorization.value, ...encodeImpersonation(parts.impersonation)];
  if (parts.certificate === null) return makeCredentialLines(lines);
  return makeCredentialLines(lines, {
    cert: Buffer.from(parts.certificate.pem.reveal(), "latin1"),
    key: Buffer.from(parts.certificate.key.reveal(), "latin1"),
  });
}

function encodeAuthorization(
  authorization: CredentialParts["authorization"],
): Outcome<readonly CredentialLine[]> {
  if (authorization.kind === "none") return succeed([]);
  if (authorization.kind === "token") {
    const token = authorization.token.reveal();
    return visibleAscii.test(token)
      ? succeed([["Authorization", `Bearer ${token}`]])
      : fail("invalid_input", "the token is empty or has characters that a token cannot have");
  }
  const { username, password } = authorization;
  if (username.includes(":")) return fail("invalid_input", "the username has a colon");
  const basic = Buffer.from(`${username}:${password.reveal()}`, "utf8").toString("base64");
  return succeed([["Authorization", `Basic ${basic}`]]);
}

function encodeImpersonation(impersonation: Impersonation | null): readonly CredentialLine[] {
  if (impersonation === null) return [];
  const { username, uid, groups, extra } = impersonation;
  return [
    ["Impersonate-User", username],
    ...(uid === null ? [] : [["Impersonate-Uid", uid] as const]),
    ...groups.map((group) => ["Impersonate-Group", group] as const),
    ...extra.flatMap(([name, values]) =>
      values.map((value) => [`Impersonate-Extra-${encodeExtraName(name)}`, value] as const),
    ),
  ];
}

/** Percent-encodes what a header name cannot hold; the server decodes it and folds its case. */
function encodeExtraName(name: string): string {
  return [...Buffer.from(name, "utf8")]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
