import type {
  DomainIr,
  ErrorIr,
  LifecycleIr,
  LimitIr,
  NoteIr,
  OperationIr,
  OwnerIr,
} from "../../ir/ir.js";
import { camelCase } from "../../ir/naming.js";
import { code, table } from "./markdown-text.js";
import { type Page, typeLink } from "./page.js";

/** The table of limits. */
export function limitSection(limits: readonly LimitIr[]): readonly string[] {
  return table(
    ["limit", "value", "unit", "why"],
    limits.map(({ name, value, unit, doc }) => [code(camelCase(name)), String(value), unit, doc]),
  );
}

/** The table of error codes. */
export function errorSection(errors: readonly ErrorIr[]): readonly string[] {
  return table(
    ["code", "effect", "retry", "exit", "HTTP", "gRPC", "meaning", "what to do next"],
    errors.map((error) => [
      code(error.code),
      error.effect,
      error.retry,
      String(error.exit),
      String(error.http),
      error.grpc,
      error.doc,
      error.hint,
    ]),
  );
}

/** The diagram and the table of a lifecycle. */
export function lifecycleSection(lifecycle: LifecycleIr): readonly string[] {
  const arrows = lifecycle.transitions.flatMap(({ event, from, to }) =>
    from.map((state) => `    ${state} --> ${to}: ${event}`),
  );
  const ends = lifecycle.states
    .filter(({ terminal }) => terminal)
    .map(({ name }) => `    ${name} --> [*]`);
  return [
    `### ${lifecycle.name}`,
    "",
    lifecycle.doc,
    "",
    "```mermaid",
    "stateDiagram-v2",
    `    [*] --> ${lifecycle.initial}`,
    ...arrows,
    ...ends,
    "```",
    "",
    ...table(
      ["state", "kind", "meaning"],
      lifecycle.states.map(({ name, terminal, doc }) => [
        code(name),
        name === lifecycle.initial ? "initial" : terminal ? "terminal" : "",
        doc,
      ]),
    ),
    ...table(
      ["event", "from", "to", "meaning"],
      lifecycle.transitions.map(({ event, from, to, doc }) => [
        code(event),
        from.map(code).join(", "),
        code(to),
        doc,
      ]),
    ),
  ];
}

/** What an operation declares, with its example. */
export function operationSection(page: Page, operation: OperationIr): readonly string[] {
  const { description, example, id: _id, ...rest } = operation.declaration;
  const rows = Object.entries(rest).map(([name, value]) => [
    code(name),
    code(JSON.stringify(value)),
  ]);
  return [
    `### ${operation.id}`,
    "",
    typeof description === "string" ? description : "",
    "",
    `Input ${typeLink(page, { kind: "named", ...operation.input })}, `.concat(
      `output ${typeLink(page, { kind: "named", ...operation.output })}.`,
    ),
    "",
    ...table(["member", "value"], rows),
    "An input:",
    "",
    "```json",
    JSON.stringify(example, undefined, 2),
    "```",
    "",
  ];
}

/** The caveats. */
export function noteSection(
  notes: readonly NoteIr[],
  link: (owner: OwnerIr) => string,
): readonly string[] {
  return notes.map(({ kind, text, owner }) => {
    const source = owner === undefined ? "" : ` (${link(owner)})`;
    return `- **${kind}**: ${text}${source}`;
  });
}

/** The link to the page that owns a domain's rules; nothing without an owner. */
export function ownerLine(domain: DomainIr, link: (owner: OwnerIr) => string): readonly string[] {
  if (domain.owner === undefined) return [];
  return [`The prose that owns these rules: ${link(domain.owner)}.`, ""];
}
