import { parseOperationDeclaration, type OperationDeclaration } from "@connectors/domain";
import { trusted } from "../identity/trusted.js";

const text = { type: "string", minLength: 1, maxLength: 256 };
const place = { namespace: text, name: text };

const mutation = {
  contract: "operations/v1alpha1",
  profile: "mutation",
  semantic_effects: [],
  limits: {
    request_bytes: 4096,
    result_bytes: 4096,
    execution_ms: 20_000,
    provider_ms: 15_000,
    connect_ms: 5000,
  },
  output_schema: { type: "object", properties: { changed: text }, required: ["changed"] },
};

function inputOf(properties: object, required: readonly string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}

function declare(declaration: object): OperationDeclaration {
  return trusted(parseOperationDeclaration(declaration), "a scripted declaration fits its model");
}

/** Keyed and approved: the shape of `deployment.rollout_restart`. */
export const changeDeclaration: OperationDeclaration = declare({
  ...mutation,
  id: "thing.change",
  description: "Changes one thing.",
  effects: ["external_write", "network"],
  risk: "medium",
  idempotency: { kind: "keyed", retention_s: 86_400 },
  approval: "required",
  input_schema: inputOf({ ...place, to: text }, ["namespace", "name", "to"]),
  example: { namespace: "web", name: "api", to: "blue" },
});

/** Not keyed, and it runs a command: the shape of `pods.exec`. */
export const runDeclaration: OperationDeclaration = declare({
  ...mutation,
  id: "thing.run",
  description: "Runs a command in one thing.",
  effects: ["external_write", "network", "process"],
  risk: "high",
  idempotency: { kind: "none", retention_s: null },
  approval: "required",
  input_schema: inputOf(
    {
      ...place,
      command: { type: "array", items: text, minItems: 1 },
      timeout_seconds: { type: "integer", default: 10 },
    },
    ["namespace", "name", "command"],
  ),
  example: { namespace: "web", name: "api", command: ["id"] },
});

/** A write that needs no approval, and whose provider makes a second call harmless. */
export const pokeDeclaration: OperationDeclaration = declare({
  ...mutation,
  id: "thing.poke",
  description: "Pokes one thing.",
  effects: ["external_write", "network"],
  risk: "low",
  idempotency: { kind: "natural", retention_s: null },
  approval: "not_required",
  input_schema: inputOf(place, ["namespace", "name"]),
  example: { namespace: "web", name: "api" },
});

/** A read. */
export const getDeclaration: OperationDeclaration = declare({
  ...mutation,
  id: "thing.get",
  description: "Reads one thing.",
  profile: "thing-get",
  effects: ["network"],
  risk: "low",
  idempotency: { kind: "none", retention_s: null },
  approval: "not_required",
  input_schema: inputOf(place, ["namespace", "name"]),
  example: { namespace: "web", name: "api" },
});

/** Every operation of the scripted adapter. */
export const scriptedDeclarations: readonly OperationDeclaration[] = [
  changeDeclaration,
  runDeclaration,
  pokeDeclaration,
  getDeclaration,
];
