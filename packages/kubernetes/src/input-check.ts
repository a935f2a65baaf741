import type { DnsLabel, Issue, KubernetesConfiguration, Parsed } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** The value, or `invalid_input` that names the first member that does not fit, and how many more. */
export function acceptInput<T>(parsed: Parsed<T>): Outcome<T> {
  if (parsed.ok) return succeed(parsed.value);
  return fail("invalid_input", `the input ${describeIssues(parsed.issues)}`);
}

/** Whether the namespace is one of the configured ones; `forbidden` else. */
export function acceptNamespace(
  namespace: DnsLabel,
  { namespaces }: KubernetesConfiguration,
): Outcome<DnsLabel> {
  return namespaces.includes(namespace)
    ? succeed(namespace)
    : fail("forbidden", "the namespace is not configured for this adapter", {
        hint: "`connectors adapters show NAME` lists its namespaces.",
      });
}

// A path and a rule never hold any part of the value.
function describeIssues([first, ...more]: readonly Issue[]): string {
  if (first === undefined) return "does not fit its model";
  const where = first.path === "" ? "" : `at ${first.path} `;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `${where}${first.message}${others}`.slice(0, 400);
}
