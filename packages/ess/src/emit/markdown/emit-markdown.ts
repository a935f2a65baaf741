import { type DomainIr, type OwnerIr, type SystemIr, domainOf } from "../../ir/ir.js";
import type { FieldIr, TypeExpressionIr, TypeIr } from "../../ir/type-ir.js";
import { type Emitter, generatedMark } from "../emitter.js";
import { decisionSection } from "./decision-section.js";
import { diagnosticsPage } from "./diagnostics-page.js";
import { anchor, relativePath, table } from "./markdown-text.js";
import type { Page } from "./page.js";
import {
  errorSection,
  lifecycleSection,
  limitSection,
  noteSection,
  operationSection,
  ownerLine,
} from "./table-sections.js";
import { typeSection } from "./type-section.js";

/** The reference of a system: a page a domain, an index, and the codes of our own problems. */
export const emitMarkdown: Emitter = (ir, options) => {
  const folder = options.reference;
  const users = usersOf(ir);
  const files = new Map<string, string>();
  for (const domain of ir.domains) {
    files.set(`${folder}/${domain.base}.md`, domainPage(ir, domain, users, folder));
  }
  files.set(`${folder}/README.md`, indexPage(ir));
  files.set(`${folder}/ess-diagnostics.md`, diagnosticsPage());
  return files;
};

function domainPage(ir: SystemIr, domain: DomainIr, users: Users, folder: string): string {
  const page: Page = { ir, domain: domain.name };
  const link = ({ file, heading }: OwnerIr): string => {
    const fragment = heading === undefined ? "" : `#${anchor(heading)}`;
    return `[${heading ?? file}](${relativePath(folder, file)}${fragment})`;
  };
  const uses = domain.uses.map((name) => `[${name}](${domainOf(ir, name).base}.md)`);
  const sections = [
    ["Types", domain.types.flatMap((type) => typeSection(page, type, users.of(domain, type)))],
    ["Limits", limitSection(domain.limits)],
    ["Error codes", errorSection(domain.errors)],
    ["Lifecycles", domain.lifecycles.flatMap(lifecycleSection)],
    ["Operations", domain.operations.flatMap((operation) => operationSection(page, operation))],
    ["Decisions", domain.decisions.flatMap(decisionSection)],
    ["Notes", noteSection(domain.notes, link)],
  ] as const;
  return finish([
    `<!-- ${generatedMark(domain.path, domain.sha256)} -->`,
    "",
    `# ${domain.name}`,
    "",
    domain.doc,
    "",
    ...ownerLine(domain, link),
    ...(uses.length === 0 ? [] : [`Uses ${uses.join(", ")}.`, ""]),
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""],
    ),
  ]);
}

function indexPage(ir: SystemIr): string {
  const rows = ir.domains.map((domain) => [
    `[${domain.name}](${domain.base}.md)`,
    domain.doc,
    [
      counted(domain.types.length, "type"),
      counted(domain.limits.length, "limit"),
      counted(domain.errors.length, "error code"),
      counted(domain.lifecycles.length, "lifecycle"),
      counted(domain.operations.length, "operation"),
      counted(domain.decisions.length, "decision"),
    ]
      .filter((part) => part !== "")
      .join(", "),
  ]);
  return finish([
    `<!-- ${generatedMark("ess/system.yaml", ir.sha256)} -->`,
    "",
    `# Reference of ${ir.system}`,
    "",
    "Everything on these pages is generated from the models in `ess/`.",
    "",
    ...table(["domain", "about", "holds"], rows),
    "The problems that `ess check` reports: [ess-diagnostics.md](ess-diagnostics.md).",
  ]);
}

function counted(count: number, what: string): string {
  if (count === 0) return "";
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function finish(lines: readonly string[]): string {
  return `${lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

interface Users {
  of(domain: DomainIr, type: TypeIr): readonly string[];
}

function usersOf(ir: SystemIr): Users {
  const users = new Map<string, Set<string>>();
  const note = (expression: TypeExpressionIr, user: string): void => {
    if (expression.kind === "named") {
      const key = `${expression.domain}.${expression.name}`;
      users.set(key, (users.get(key) ?? new Set()).add(user));
    }
    if (expression.kind === "list" || expression.kind === "map") note(expression.of, user);
    if (expression.kind === "map") note(expression.key, user);
  };
  const noteFields = (fields: readonly FieldIr[], user: string): void => {
    for (const field of fields) note(field.type, user);
  };
  for (const domain of ir.domains) {
    for (const type of domain.types) {
      if (type.kind === "newtype") note(type.of, type.name);
      if (type.kind === "struct") noteFields(type.fields, type.name);
      if (type.kind !== "union") continue;
      for (const variant of type.variants) noteFields(variant.fields, type.name);
    }
    for (const { id, input, output } of domain.operations) {
      note({ kind: "named", ...input }, id);
      note({ kind: "named", ...output }, id);
    }
  }
  return { of: (domain, type) => [...(users.get(`${domain.name}.${type.name}`) ?? [])].toSorted() };
}
