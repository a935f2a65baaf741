import type { AdapterFile } from "@connectors/domain";
import type { ConnectionFacts } from "@connectors/kubernetes-client/node";
import type { CapturedConnection } from "@connectors/sdk";
import { fault, fine, warning, type Finding } from "../output/findings.js";
import { askAccess, listAccesses } from "./access-check.js";

const dayMs = 86_400_000;
const soonMs = 7 * dayMs;

function expiry(name: string, atMs: number | null, nowMs: number): readonly Finding[] {
  if (atMs === null) return [];
  const when = new Date(atMs).toISOString();
  if (atMs <= nowMs) return [fault(name, `expired at ${when}`, "Renew it.")];
  return atMs - nowMs < soonMs
    ? [warning(name, `expires at ${when}`, "Renew it soon.")]
    : [fine(name, `good until ${when}`)];
}

/** What a connection's files say, without a request. */
export function listFileFindings(facts: ConnectionFacts, nowMs: number): readonly Finding[] {
  const { description } = facts;
  const found: Finding[] = [
    fine("cluster", `${description.base_url} (TLS name ${description.tls_name})`),
    ...expiry("client certificate", facts.clientCertificateNotAfterMs, nowMs),
    ...expiry("cluster's CA", facts.caNotAfterMs, nowMs),
  ];
  if (facts.insecure) {
    found.push(
      warning(
        "TLS",
        "the cluster is not verified",
        "Give it a CA instead of insecure-skip-tls-verify.",
      ),
    );
  }
  if (facts.proxied) {
    found.push(
      warning(
        "proxy",
        "a proxy-url stands between: 409 and 422 prove nothing",
        "Expect `unknown` for them.",
      ),
    );
  }
  if (facts.prefixed) {
    found.push(
      warning(
        "path prefix",
        "something that routes by path may stand between",
        "If it may send a request again, add with --intermediary may_resend.",
      ),
    );
  }
  if (facts.impersonates) found.push(fine("impersonation", "this user acts as another"));
  return found;
}

/** Whether something other than an API server answers. */
export async function findIntermediary(
  captured: CapturedConnection,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const answer = await captured.http.get(
    { segments: ["version"] },
    { accept: "application/json", signal },
  );
  if (!answer.ok) return [fault("request", answer.failure.message, answer.failure.hint)];
  const foreign = ["via", "server"].filter((name) => answer.value.headers.has(name));
  return foreign.length === 0
    ? [fine("answers", "as an API server does")]
    : [
        warning(
          "intermediary",
          `the answer carries ${foreign.join(" and ")}: something stands between`,
          "If it may send a request again, add with --intermediary may_resend.",
        ),
      ];
}

/** Each verb that the configured operations want, granted or missing, namespace by namespace. */
export async function listAccessFindings(
  captured: CapturedConnection,
  { configuration }: Pick<AdapterFile, "configuration">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const namespace of configuration.namespaces) {
    for (const operation of ["deployments.get", ...configuration.operations]) {
      for (const target of listAccesses(operation, { namespace })) {
        const allowed = await askAccess(captured, target, signal);
        const what = [target.resource, target.subresource].filter((part) => part !== "").join("/");
        const name = `${operation} in ${namespace}`;
        if (!allowed.ok) found.push(fault(name, allowed.failure.message, allowed.failure.hint));
        else if (allowed.value) found.push(fine(name, `${target.verb} on ${what} is granted`));
        else {
          found.push(
            warning(
              name,
              `${target.verb} on ${what} is missing`,
              "Grant it by RBAC, or writes will be refused.",
            ),
          );
        }
      }
    }
  }
  return found;
}
