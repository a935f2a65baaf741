import {
  encodeCanonicalOperationDeclaration,
  keptResultBytesMax,
  operationsMax,
  parseName,
  parseOperationDeclaration,
  parseProvider,
  type Name,
  type OperationDeclaration,
  type Provider,
  type Sha256,
} from "@connectors/domain";
import {
  encodeCanonical,
  fail,
  succeed,
  type Adapter,
  type AdapterDescription,
  type Connection,
  type Outcome,
} from "@connectors/sdk";
import { describeIssues } from "../failure/issues-text.js";
import { digestOf } from "../journal/measure.js";
import { guardAdapter } from "./guard-adapter.js";
import { guardConnection } from "./guard-connection.js";

/** An adapter as the composition root joins it: its name here, its way out, its last probe. */
export interface AdapterRegistration {
  readonly name: string;
  readonly adapter: Adapter;
  readonly connection: Connection;
  /** Who the provider said we are when last asked; null before the first probe. */
  readonly probed: { readonly provider: Provider; readonly at_ms: number } | null;
}

/** A declared operation and the digest that names this form of it. */
export interface DeclaredOperation {
  readonly declaration: OperationDeclaration;
  readonly revision: Sha256;
}

/** An adapter whose declarations have been read and found whole. */
export interface InstalledAdapter {
  readonly name: Name;
  readonly kind: Name;
  readonly adapter: Adapter;
  readonly connection: Connection;
  readonly probed: { readonly provider: Provider; readonly at_ms: number } | null;
  readonly operations: ReadonlyMap<string, DeclaredOperation>;
  readonly unconfigured: ReadonlySet<string>;
  readonly configurationRevision: Sha256;
}

/** The adapters of a host by name, in the order of their registration. */
export type InstalledAdapters = ReadonlyMap<string, InstalledAdapter>;

/** True for an operation that changes something at the provider. */
export function isWrite(declaration: OperationDeclaration): boolean {
  return declaration.effects.includes("external_write");
}

/**
 * Every registered adapter, or the first that is not whole: nothing of a host is advertised while
 * one of its declarations is incomplete, doubled or says two things at once.
 */
export function installAdapters(
  registrations: readonly AdapterRegistration[],
): Outcome<InstalledAdapters> {
  const installed = new Map<string, InstalledAdapter>();
  for (const registration of registrations) {
    const adapter = installAdapter(registration);
    if (!adapter.ok) return adapter;
    if (installed.has(adapter.value.name)) {
      return fail("invalid_input", "Two adapters have the same name.");
    }
    installed.set(adapter.value.name, adapter.value);
  }
  return succeed(installed);
}

function installAdapter(registration: AdapterRegistration): Outcome<InstalledAdapter> {
  const name = parseName(registration.name);
  if (!name.ok) return fail("invalid_input", "An adapter's name is not one.");
  const adapter = guardAdapter(registration.adapter);
  const description = readDescription(adapter);
  if (!description.ok) return description;
  const kind = parseName(description.value.adapter);
  if (!kind.ok) return fail("internal", `Adapter ${name.value}: its kind is no name.`);
  const operations = readOperations(name.value, description.value);
  if (!operations.ok) return operations;
  const probed = readProbe(registration);
  if (!probed.ok) return probed;
  return succeed({
    name: name.value,
    kind: kind.value,
    adapter,
    connection: guardConnection(registration.connection),
    probed: probed.value,
    operations: operations.value,
    unconfigured: new Set(description.value.unconfigured),
    configurationRevision: digestOf(encodeCanonical(description.value.configuration)),
  });
}

function readDescription(adapter: Adapter): Outcome<AdapterDescription> {
  try {
    return succeed(adapter.describe());
  } catch {
    return fail("internal", "An adapter could not describe itself.");
  }
}

function readProbe({ name, probed }: AdapterRegistration): Outcome<InstalledAdapter["probed"]> {
  if (probed === null) return succeed(null);
  const provider = parseProvider(probed.provider);
  return provider.ok
    ? succeed({ provider: provider.value, at_ms: probed.at_ms })
    : fail("invalid_input", `Adapter ${name}: its probe does not fit its model.`);
}

function readOperations(
  adapter: Name,
  description: AdapterDescription,
): Outcome<InstalledAdapter["operations"]> {
  const operations = new Map<string, DeclaredOperation>();
  if (description.operations.length > operationsMax) {
    return fail("internal", `Adapter ${adapter} declares more than ${operationsMax} operations.`);
  }
  for (const declared of description.operations) {
    const parsed = parseOperationDeclaration(declared);
    if (!parsed.ok) {
      return fail("internal", `Adapter ${adapter}: ${describeIssues(parsed.issues)}`);
    }
    const declaration = parsed.value;
    const fault = operations.has(declaration.id)
      ? "is declared twice"
      : findContradiction(declaration);
    if (fault !== undefined) {
      return fail("internal", `Adapter ${adapter}: ${declaration.id} ${fault}.`);
    }
    const revision = digestOf(encodeCanonicalOperationDeclaration(declaration));
    operations.set(declaration.id, { declaration, revision });
  }
  return succeed(operations);
}

function findContradiction(declaration: OperationDeclaration): string | undefined {
  const { idempotency, limits, profile } = declaration;
  const write = isWrite(declaration);
  if (write !== (profile === "mutation")) return "writes without being a mutation, or reads as one";
  if ((idempotency.kind === "keyed") !== (idempotency.retention_s !== null)) {
    return "has a retention without keys, or keys without one";
  }
  if (!write && idempotency.kind === "keyed") return "is a read that takes a key";
  if (idempotency.kind === "keyed" && limits.result_bytes > keptResultBytesMax) {
    return "promises results to replays that are larger than what is kept";
  }
  if (limits.provider_ms > limits.execution_ms) return "gives its provider more time than itself";
  return undefined;
}
