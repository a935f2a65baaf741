import { compareText } from "../../diagnostics/diagnostic.js";
import type { SystemIr } from "../../ir/ir.js";
import { domainOf } from "../../ir/ir.js";
import { fold } from "./text.js";

/** A file in the making: what it imports, and what it offers to the index. */
export interface FileScope {
  readonly ir: SystemIr;
  /** A type of the support code, imported. */
  supportType(name: string): string;
  /** A function or constant of the support code, imported. */
  support(name: string): string;
  /** A type of some domain, imported unless it is this file's own. */
  type(domain: string, name: string): string;
  /** A function or constant of some domain, imported unless it is this file's own. */
  value(domain: string, name: string): string;
  /** Notes that the index shall offer these. */
  offer(kind: "type" | "value", ...names: readonly string[]): void;
  importLines(): readonly string[];
  readonly offers: readonly Offer[];
}

/** One name that the index gives on. */
export interface Offer {
  readonly kind: "type" | "value";
  readonly name: string;
}

/** The scope of the file of the domain `own`, or of one that is of no domain. */
export function makeFileScope(ir: SystemIr, own: string | undefined): FileScope {
  const imports = new Map<string, Map<string, boolean>>();
  const offers: Offer[] = [];
  const add = (module: string, name: string, isType: boolean): string => {
    const names = imports.get(module) ?? new Map<string, boolean>();
    names.set(name, (names.get(name) ?? true) && isType);
    imports.set(module, names);
    return name;
  };
  const from = (home: string, name: string, isType: boolean): string =>
    home === own ? name : add(`./${domainOf(ir, home).base}.js`, name, isType);
  return {
    ir,
    offers,
    supportType: (name) => add(supportModule, name, true),
    support: (name) => add(supportModule, name, false),
    type: (home, name) => from(home, name, true),
    value: (home, name) => from(home, name, false),
    offer(kind, ...names) {
      for (const name of names) offers.push({ kind, name });
    },
    importLines: () =>
      [...imports]
        .toSorted(([left], [right]) => compareText(left, right))
        .flatMap(([module, names]) => importStatement(module, names)),
  };
}

/** Where the support code is, seen from a generated file. */
export const supportModule = "../support/index.js";

function importStatement(module: string, names: ReadonlyMap<string, boolean>): readonly string[] {
  const sorted = [...names].toSorted(([left], [right]) => compareText(left, right));
  if (sorted.every(([, isType]) => isType)) {
    const items = sorted.map(([name]) => name);
    return fold("import type { ", items, ` } from "${module}";`);
  }
  const items = sorted.map(([name, isType]) => (isType ? `type ${name}` : name));
  return fold("import { ", items, ` } from "${module}";`);
}
