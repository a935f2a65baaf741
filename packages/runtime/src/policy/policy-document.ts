import {
  encodeCanonicalPolicyDocument,
  jsonDepthMax,
  parseCommandRule,
  parsePolicyDocument,
  policyBytesMax,
  policyCommandsMax,
  type CommandRule,
  type PolicyDocument,
  type PolicyRule,
  type Sha256,
} from "@connectors/domain";
import {
  fail,
  parseJson,
  succeed,
  type Json,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";
import { digestOf } from "../journal/measure.js";
import { describeIssues } from "../failure/issues-text.js";

/** Which commands a rule allows: `null` where the rule has no such member. */
export type AllowedCommands = "any" | readonly CommandRule[] | null;

/** A rule whose commands have been read. */
export interface ReadRule extends Omit<PolicyRule, "commands"> {
  readonly commands: AllowedCommands;
}

/** A policy ready to be evaluated, and the digest of its canonical bytes. */
export interface Policy {
  readonly document: PolicyDocument;
  readonly sha256: Sha256;
  readonly rules: readonly ReadRule[];
}

/**
 * The policy that the bytes of one closed JSON document hold.
 *
 * `invalid_input` names the member at fault; longer than `policyBytesMax` is `capacity`.
 */
export function parsePolicy(bytes: Uint8Array): Outcome<Policy> {
  const json = parseJson(bytes, { bytesMax: policyBytesMax, depthMax: jsonDepthMax });
  return json.ok ? readPolicy(json.value) : json;
}

/** The policy that a JSON value holds, such as the one kept in the store. */
export function readPolicy(value: unknown): Outcome<Policy> {
  const parsed = parsePolicyDocument(value);
  if (!parsed.ok) return fail("invalid_input", `policy: ${describeIssues(parsed.issues)}`);
  const document = parsed.value;
  const rules: ReadRule[] = [];
  for (const [index, rule] of document.rules.entries()) {
    const commands = readCommands(rule.commands);
    if (commands === undefined) {
      return fail("invalid_input", `policy: /rules/${index}/commands: ${commandForms}`);
    }
    rules.push({ ...rule, commands });
  }
  return succeed({ document, sha256: digestOf(encodeCanonicalPolicyDocument(document)), rules });
}

const commandForms = `must be "any", or 1 to ${policyCommandsMax} of {"exact": argv} and {"prefix": argv}`;

function readCommands(value: Json | undefined): AllowedCommands | undefined {
  if (value === undefined) return null;
  if (value === "any") return "any";
  if (!isList(value) || value.length === 0 || value.length > policyCommandsMax) return undefined;
  const commands = value.map(readCommand);
  const read = commands.filter((command) => command !== undefined);
  return read.length === commands.length ? read : undefined;
}

// The wire names the form by its one member; the model by a `kind`.
function readCommand(value: Json): CommandRule | undefined {
  if (typeof value !== "object" || value === null || isList(value)) return undefined;
  const object: JsonObject = value;
  const [kind, ...others] = Object.keys(object);
  if (kind === undefined || others.length > 0) return undefined;
  const parsed = parseCommandRule({ kind, argv: object[kind] });
  return parsed.ok ? parsed.value : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
