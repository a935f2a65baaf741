import {
  encodeCanonicalOperationDeclaration,
  type OperationDeclaration,
  type PreparedFile,
  type Provider,
} from "@connectors/domain";
import { fail, succeed, type Json, type JsonObject, type Outcome } from "@connectors/sdk";
import { decodePrepared } from "../freeze/prepared-file.js";
import { digestOf } from "../journal/measure.js";
import { ownText, quoteText, type PrintableText } from "./printable-text.js";
import { renderField, renderValue } from "./render-value.js";

/** A cluster that an approver knows under a name of their own. */
export interface KnownCluster extends Pick<Provider, "base_url" | "tls_name" | "trust_sha256"> {
  readonly name: string;
}

/** What an approver decides with: their own model and their own list of clusters. */
export interface ApproverView {
  readonly declarations: readonly OperationDeclaration[];
  readonly clusters: readonly KnownCluster[];
}

/** A prepared write as an approver sees it. */
export interface Rendering {
  /** Printable ASCII, no terminal codes; a prompt comes after the last of them. */
  readonly lines: readonly string[];
  /** The approver's name for the cluster; null when they do not know it. */
  readonly cluster: string | null;
  readonly file: PreparedFile;
}

/**
 * The lines that show everything of a prepared write, from its bytes alone.
 *
 * The words come from the approver's own installed declarations, never from prose in the file:
 * another revision of the operation's declaration is `stale_description`. Both digests are
 * recomputed from the bytes; a file that was changed is `invalid_input`.
 */
export function renderPrepared(bytes: Uint8Array, view: ApproverView): Outcome<Rendering> {
  const decoded = decodePrepared(bytes);
  if (!decoded.ok) return decoded;
  const file = decoded.value;
  const { target } = file.subject;
  const declaration = view.declarations.find(({ id }) => id === target.operation);
  if (declaration === undefined) {
    return fail("unsupported", "This operation is not installed here, so nobody can show it.");
  }
  const revision = digestOf(encodeCanonicalOperationDeclaration(declaration));
  if (revision !== target.descriptor_revision) {
    return fail("stale_description", "The operation was frozen with another declaration of it.");
  }
  const cluster = findCluster(target, view.clusters);
  const lines = [
    ...renderCluster(file, cluster),
    ...renderOperation(file, declaration),
    ...renderInput(file, declaration),
    ...renderTerms(file),
  ];
  return succeed({ lines, cluster, file });
}

// Several names may lead to one place: the one that the write itself uses says most.
function findCluster(
  { instance, provider }: PreparedFile["subject"]["target"],
  clusters: readonly KnownCluster[],
): string | null {
  const known = clusters.filter(
    (cluster) =>
      cluster.base_url === provider.base_url &&
      cluster.tls_name === provider.tls_name &&
      cluster.trust_sha256 === provider.trust_sha256,
  );
  const named = known.find(({ name }) => name === instance) ?? known[0];
  return named?.name ?? null;
}

function renderCluster(file: PreparedFile, cluster: string | null): readonly string[] {
  const { provider } = file.subject.target;
  const unknown = ownText("UNKNOWN to you: check its address");
  return [
    renderField(0, "cluster", cluster === null ? unknown : quoteText(cluster)),
    text(1, "address", provider.base_url),
    text(1, "tls name", provider.tls_name),
    own(1, "trust", describeTrust(provider.trust_sha256)),
    text(0, "identity there", provider.username),
  ];
}

function describeTrust(trust: string): string {
  if (trust === "system") return "this machine's roots";
  return trust === "unverified" ? "NONE: the cluster is not verified" : `sha256 ${trust}`;
}

function renderOperation(
  { subject }: PreparedFile,
  declaration: OperationDeclaration,
): readonly string[] {
  const { target } = subject;
  return [
    text(0, "operation", target.operation),
    text(1, "does", declaration.description),
    own(1, "risk", declaration.risk),
    own(1, "effects", declaration.effects.join(", ")),
    own(1, "for people", declaration.semantic_effects.join(", ") || "none declared"),
    text(1, "contract", target.contract),
    text(1, "profile", target.profile),
    text(1, "adapter", `${target.instance} (${target.adapter})`),
    text(1, "connection", target.connection),
  ];
}

// In the order of the declaration, then whatever it does not name; defaults are effects too.
function renderInput(
  { input }: PreparedFile,
  declaration: OperationDeclaration,
): readonly string[] {
  const object = isObject(input) ? input : { input };
  const properties = readProperties(declaration.input_schema);
  const declared = Object.keys(properties);
  const lines = declared.flatMap((name) => renderDeclared(name, object[name], properties[name]));
  const foreign = Object.keys(object).filter((name) => !declared.includes(name));
  return [
    "input",
    ...lines,
    ...foreign.flatMap((name) => renderValue(1, name, object[name] ?? null, "  (UNDECLARED)")),
  ];
}

function renderDeclared(
  name: string,
  value: Json | undefined,
  schema: Json | undefined,
): readonly string[] {
  if (value !== undefined) return renderValue(1, name, value);
  const implied = isObject(schema) ? schema["default"] : undefined;
  return implied === undefined
    ? [own(1, name, "not given")]
    : renderValue(1, name, implied, "  (default)");
}

function renderTerms({ subject, subject_sha256, key }: PreparedFile): readonly string[] {
  const { authority, target } = subject;
  const { policy } = authority;
  return [
    text(0, "asked by", authority.caller),
    renderField(1, "tenant", optional(authority.tenant)),
    renderField(1, "realm", optional(authority.realm)),
    renderField(1, "executor", optional(authority.executor)),
    own(1, "origin", subject.origin),
    renderField(1, "route", optional(subject.route)),
    renderField(1, "key", optional(key)),
    text(0, "good at host", subject.audience),
    own(1, "until", new Date(subject.expires_at_ms).toISOString()),
    text(1, "policy", `${policy.id} revision ${policy.revision}`),
    own(1, "policy sha256", policy.sha256),
    own(1, "declaration", `sha256 ${target.descriptor_revision}`),
    own(1, "configuration", `sha256 ${target.configuration_revision}`),
    own(1, "provider", `sha256 ${target.connection_revision}`),
    own(1, "key sha256", subject.key_sha256 ?? "none"),
    own(1, "forms", `${subject.format}, ${subject.canonicalization}`),
    own(0, "input sha256", subject.input_sha256),
    own(0, "subject sha256", subject_sha256),
  ];
}

function text(depth: number, name: string, value: string): string {
  return renderField(depth, name, quoteText(value));
}

function own(depth: number, name: string, value: string): string {
  return renderField(depth, name, ownText(value));
}

function optional(value: string | null): PrintableText {
  return value === null ? ownText("none") : quoteText(value);
}

function readProperties(schema: Json): JsonObject {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  return isObject(properties) ? properties : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
