import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";

/** True when `value` is one of the type, as Ajv reads the generated JSON Schema. */
export type Oracle = (domain: string, type: string, value: unknown) => boolean;

/**
 * Opens the generated schemas with Ajv. The `x-ess-…` keywords are written here a second time and
 * by other means than the validators', so that the two can be compared.
 */
export function openOracle(): Oracle {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  const note = (keyword: string) => ajv.addKeyword({ keyword, validate: () => true });
  note("x-ess-sensitive");
  const rule = <Bound>(keyword: string, holds: (bound: Bound, value: unknown) => boolean) =>
    ajv.addKeyword({ keyword, validate: holds });
  rule<Range>(
    "x-ess-bytes",
    (range, value) => typeof value !== "string" || within(range, bytes(value)),
  );
  rule<Range>(
    "x-ess-total-bytes",
    (range, value) => !Array.isArray(value) || within(range, bytes(value.join(""))),
  );
  rule<true>("x-ess-sorted", (_on, value) => {
    const items: unknown[] = Array.isArray(value) ? value : [];
    return items.every((item, index) => index === 0 || !(Number(item) < Number(items[index - 1])));
  });
  rule<true>(
    "x-ess-int64",
    (_on, value) => BigInt.asIntN(64, BigInt(String(value))) === BigInt(String(value)),
  );
  rule<string>("x-ess-int64-minimum", (bound, value) => BigInt(String(value)) >= BigInt(bound));
  rule<string>("x-ess-int64-maximum", (bound, value) => BigInt(String(value)) <= BigInt(bound));
  rule<number>(
    "x-ess-canonical-bytes-max",
    (bound, value) => bytes(canonicalize(value) ?? "") <= bound,
  );
  rule<readonly Invariant[]>("x-ess-invariants", (invariants, value) =>
    invariants.every((invariant) => evaluate(invariant.rule, value)),
  );
  for (const name of readdirSync(schemas)) {
    ajv.addSchema(JSON.parse(readFileSync(`${schemas}/${name}`, "utf8")), name);
  }
  return (domain, type, value) => {
    const validate = ajv.getSchema(`${domain}.json#/$defs/${type}`);
    if (validate === undefined) throw new Error(`there is no schema of ${domain}.${type}`);
    return validate(value) === true;
  };
}

/** The ids of all rules between members that the models state. */
export function statedRules(): readonly string[] {
  const texts = readdirSync(schemas).map((name) => readFileSync(`${schemas}/${name}`, "utf8"));
  const lists = texts.flatMap((text) => [...text.matchAll(/"x-ess-invariants": (\[[^\]]*\])/g)]);
  return lists.flatMap(([, list = "[]"]) => (JSON.parse(list) as Named[]).map(({ id }) => id));
}

const schemas = fileURLToPath(new URL("../../../../docs/reference/schemas", import.meta.url));

interface Named {
  readonly id: string;
}

interface Range {
  readonly min?: number;
  readonly max?: number;
}

interface Invariant {
  readonly rule: string;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function within({ min = 0, max = Infinity }: Range, size: number): boolean {
  return size >= min && size <= max;
}

type RuleTest = (at: (path: string) => unknown) => unknown;

const compiled = new Map<string, RuleTest>();

// The rule as JavaScript: members become look-ups that answer null where nothing is.
function evaluate(rule: string, record: unknown): boolean {
  let test = compiled.get(rule);
  if (test === undefined) {
    const source = rule.replaceAll(/"[^"]*"|'[^']*'|\b[a-z_][\w.]*/g, (token) =>
      /^["']|^(?:null|true|false)$/.test(token) ? token : `at(${JSON.stringify(token)})`,
    );
    const strict = source.replaceAll(/([=!])=/g, "$1==");
    test = new Script(`(at) => ${strict}`).runInThisContext() as RuleTest;
    compiled.set(rule, test);
  }
  return test((path) => look(record, path)) === true;
}

function look(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return null;
    value = Reflect.get(value, name) ?? null;
  }
  return value;
}
