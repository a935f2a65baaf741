import { type OperationIr, typeOf } from "../ir/ir.js";
import { unbounded } from "../ir/type-ir.js";
import { type JsonData, isJsonRecord } from "../shape/json-node.js";
import { type CheckContext, reportAt } from "./check-context.js";
import { sensitivePaths } from "./sensitive-paths.js";
import { type ValueFault, faultsOf } from "./value-faults.js";

/** Refuses declarations that do not fit their model, their example, or one another. */
export function checkOperations(context: CheckContext): void {
  const seen = new Map<string, OperationIr>();
  for (const operation of context.ir.domains.flatMap((domain) => domain.operations)) {
    const first = seen.get(operation.id);
    if (first !== undefined) {
      const related = [{ message: "first declared here", span: context.places.of(first) }];
      const message = `the operation '${operation.id}' is declared twice`;
      reportAt(context, "ESS-NAME-001", operation, message, { related });
    }
    seen.set(operation.id, operation);
    checkOperation(context, operation);
  }
}

function checkOperation(context: CheckContext, operation: OperationIr): void {
  const { declaration, id } = operation;
  for (const end of ["input", "output"] as const) {
    const type = typeOf(context.ir, operation[end]);
    if (type.kind === "struct" || type.kind === "union") continue;
    reportAt(context, "ESS-OPER-001", operation, `the ${end} of '${id}' is not a struct or union`);
  }
  const whole = { ...declaration, input_schema: {}, output_schema: {} };
  const shape = { kind: "named", ...operation.shape } as const;
  for (const fault of faultsOf(context.ir, shape, unbounded, whole)) {
    const message = `the declaration of '${id}' ${describe(fault)}`;
    reportAt(context, "ESS-OPER-002", operation, message);
  }
  const input = { kind: "named", ...operation.input } as const;
  const example = declaration["example"] ?? null;
  for (const fault of faultsOf(context.ir, input, unbounded, example)) {
    reportAt(context, "ESS-OPER-004", declaration, `the example of '${id}' ${describe(fault)}`);
  }
  for (const path of sensitivePaths(context.ir, input, example)) {
    const message = `the example of '${id}' gives the sensitive '${path}'`;
    reportAt(context, "ESS-OPER-007", declaration, message);
  }
  for (const { code, holds, message } of consistency(declaration)) {
    if (!holds) reportAt(context, code, operation, `'${id}': ${message}`);
  }
}

function consistency(declaration: OperationIr["declaration"]) {
  const { profile, effects, idempotency, limits } = declaration;
  const writes = Array.isArray(effects) && effects.includes("external_write");
  const kind = member(idempotency, "kind");
  const retention = member(idempotency, "retention_s");
  const [execution, provider, connect] = ["execution_ms", "provider_ms", "connect_ms"].map((name) =>
    Number(member(limits, name)),
  );
  return [
    {
      code: "ESS-OPER-003",
      holds: writes === (profile === "mutation"),
      message: "'external_write' and the profile 'mutation' go together",
    },
    {
      code: "ESS-OPER-005",
      holds: (execution ?? 0) >= (provider ?? 0) && (provider ?? 0) >= (connect ?? 0),
      message: "connect_ms is within provider_ms, and that within execution_ms",
    },
    {
      code: "ESS-OPER-006",
      holds: (kind === "keyed") === (retention !== null),
      message: "'retention_s' goes with the kind 'keyed' and with no other",
    },
  ] as const;
}

function member(value: JsonData | undefined, name: string): JsonData {
  return value !== undefined && isJsonRecord(value) ? (value[name] ?? null) : null;
}

function describe({ path, rule }: ValueFault): string {
  return `breaks '${rule}' at '${path === "" ? "/" : path}'`;
}
