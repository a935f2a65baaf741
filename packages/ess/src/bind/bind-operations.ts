import type { OperationIr, TypeName } from "../ir/ir.js";
import type { Spanned } from "../diagnostics/span.js";
import type { BoundShape } from "../shape/bounds-shape.js";
import type { Named } from "../shape/decode.js";
import type { DomainShape } from "../shape/domain-shape.js";
import type { JsonData } from "../shape/json-node.js";
import type { OperationShape } from "../shape/operation-shape.js";
import { type Scope, resolveBound, resolveType } from "./scope.js";

/** The operations of a domain. */
export function bindOperations(scope: Scope, shape: DomainShape): readonly OperationIr[] {
  return (shape.operations ?? [])
    .map((operation) => bindOperation(scope, operation))
    .filter((operation) => operation !== undefined);
}

function bindOperation(
  scope: Scope,
  { name, value: shape }: Named<OperationShape>,
): OperationIr | undefined {
  const input = typeNamed(scope, shape.input);
  const output = typeNamed(scope, shape.output);
  const shapeName = { value: "OperationDeclaration", span: name.span };
  const declared = typeNamed(scope, shapeName);
  if (input === undefined || output === undefined || declared === undefined) return undefined;
  const { idempotency, limits } = shape;
  const number = (bound: BoundShape | undefined): JsonData =>
    resolveBound(scope, bound)?.value ?? null;
  const declaration = {
    id: name.value,
    description: shape.description.value,
    contract: shape.contract.value,
    profile: shape.profile.value,
    effects: shape.effects.map(({ value }) => value),
    semantic_effects: shape.semantic_effects.map(({ value }) => value),
    risk: shape.risk.value,
    idempotency: { kind: idempotency.kind.value, retention_s: number(idempotency.retention_s) },
    approval: shape.approval.value,
    limits: {
      request_bytes: number(limits.request_bytes),
      result_bytes: number(limits.result_bytes),
      execution_ms: number(limits.execution_ms),
      provider_ms: number(limits.provider_ms),
      connect_ms: number(limits.connect_ms),
    },
    example: shape.example.value,
  };
  const operation = { id: name.value, shape: declared, input, output, declaration };
  scope.places.mark(declaration, shape.example.span);
  return scope.places.mark(operation, name.span);
}

function typeNamed(scope: Scope, written: Spanned<string>): TypeName | undefined {
  const resolved = resolveType(scope, written);
  if (resolved === undefined) return undefined;
  if (resolved.type.kind === "named") {
    return { domain: resolved.type.domain, name: resolved.type.name };
  }
  scope.sink.report("ESS-OPER-001", written.span, `'${written.value}' is not the name of a type`);
  return undefined;
}
