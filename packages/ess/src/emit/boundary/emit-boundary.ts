import type { DomainIr, SystemIr } from "../../ir/ir.js";
import { camelCase } from "../../ir/naming.js";
import { type Emitter, generatedMark } from "../emitter.js";
import { fold, quote } from "../typescript/text.js";
import { type Sampler, makeSampler } from "./samples.js";
import { valueText } from "./value-text.js";

/** Values at the edges of every type, for tests: some that fit, some that break just one rule. */
export const emitBoundary: Emitter = (ir, options) => {
  const folder = `${options.typescript}/boundary`;
  const sampler = makeSampler(ir);
  const domains = ir.domains.filter(({ types }) => types.length > 0);
  const files = new Map(
    domains.map((domain) => [`${folder}/${domain.base}.ts`, domainFile(domain, sampler)]),
  );
  files.set(`${folder}/index.ts`, indexFile(ir, domains));
  return files;
};

function domainFile(domain: DomainIr, sampler: Sampler): string {
  const suites = domain.types.flatMap((type) => {
    const { valid, invalid } = sampler.ofType({ domain: domain.name, name: type.name });
    return [
      "  {",
      `    type: ${quote(type.name)},`,
      `    parse: parse${type.name},`,
      "    valid: [",
      ...valid.map((value) => `      ${valueText(value)},`),
      "    ],",
      "    invalid: [",
      ...invalid.map(({ path, rule, value }) => {
        return `      { path: ${quote(path)}, rule: ${quote(rule)}, value: ${valueText(value)} },`;
      }),
      "    ],",
      "  },",
    ];
  });
  const parsers = domain.types.map(({ name }) => `parse${name}`).toSorted();
  const numbered = suites.some((line) => line.includes("numbered("));
  const support = numbered ? "type BoundarySuite, numbered" : "type BoundarySuite";
  return [
    `// ${generatedMark(domain.path, domain.sha256)}`,
    "",
    `import { ${support} } from "../../support/boundary.js";`,
    ...fold("import { ", parsers, ` } from "../${domain.base}.js";`),
    "",
    `/** Values at the edges of the types of \`${domain.name}\`. */`,
    `export const ${suiteName(domain)}: readonly BoundarySuite[] = [`,
    ...suites,
    "];",
    "",
  ].join("\n");
}

function indexFile(ir: SystemIr, domains: readonly DomainIr[]): string {
  const imports = domains.map((domain) => {
    return `import { ${suiteName(domain)} } from "./${domain.base}.js";`;
  });
  return [
    `// ${generatedMark("ess/system.yaml", ir.sha256)}`,
    "",
    'import type { BoundarySuite } from "../../support/boundary.js";',
    ...imports,
    "",
    'export type { BoundarySuite, FaultyValue } from "../../support/boundary.js";',
    "",
    "/** Values at the edges of every type of the models, by domain. */",
    "export const boundarySuites: Readonly<Record<string, readonly BoundarySuite[]>> = {",
    ...domains.map((domain) => `  ${quote(domain.base)}: ${suiteName(domain)},`),
    "};",
    "",
  ].join("\n");
}

function suiteName({ base }: DomainIr): string {
  return `${camelCase(base)}Boundary`;
}
