import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses domains that use each other in a circle; each circle is reported once. */
export function checkUses(context: CheckContext): void {
  const domains = new Map(context.ir.domains.map((domain) => [domain.name, domain]));
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): void => {
    const domain = domains.get(name);
    if (domain === undefined || done.has(name)) return;
    const start = trail.indexOf(name);
    if (start >= 0) {
      const circle = [...trail.slice(start), name].join(" → ");
      reportAt(context, "ESS-USES-002", domain, `domains use each other in a circle: ${circle}`);
      return;
    }
    for (const used of domain.uses) visit(used, [...trail, name]);
    done.add(name);
  };
  for (const name of domains.keys()) visit(name, []);
}
