import { simulatorBounds } from "../bounds.js";
import { quote } from "../go-format.js";
import { internalError, qualified } from "../refusals.js";
import { makeFailure, type Status, type StatusDetails } from "../status.js";
import type {
  AdmissionHook,
  AdmissionMatch,
  AdmissionPhase,
  AdmissionRequest,
  WebhookDenial,
} from "./hook.js";

/** The hooks that are asked about every write. */
export interface Admission {
  /** The refusal of the first hook of `phase` that refuses. */
  readonly review: (phase: AdmissionPhase, request: AdmissionRequest) => Status | undefined;
  /** Adds a hook until the returned function is called; false when there are too many. */
  readonly add: (hook: AdmissionHook) => (() => void) | false;
}

/** Admission over `hooks`, in their order. */
export function makeAdmission(hooks: readonly AdmissionHook[] = []): Admission {
  const active = new Set<AdmissionHook>(hooks);
  return {
    review: (phase, request) => {
      for (const hook of active) {
        if (phaseOf(hook) === phase && matches(hook.match, request))
          return refusalOf(hook, request);
      }
      return undefined;
    },
    add: (hook) => {
      if (active.size >= simulatorBounds.admissionHooksMax) return false;
      // A copy, so that one hook added twice is two.
      const added = { ...hook };
      active.add(added);
      return () => {
        active.delete(added);
      };
    },
  };
}

function phaseOf(hook: AdmissionHook): AdmissionPhase {
  return hook.kind === "policy" ? "validating" : hook.phase;
}

function matches(match: AdmissionMatch, request: AdmissionRequest): boolean {
  return (
    (match.operations?.includes(request.operation) ?? true) &&
    (match.resource ?? qualified(request.resource)) === qualified(request.resource) &&
    (match.namespace ?? request.namespace) === request.namespace &&
    (match.name ?? request.name) === request.name &&
    (match.user ?? request.user) === request.user
  );
}

function refusalOf(hook: AdmissionHook, request: AdmissionRequest): Status {
  switch (hook.kind) {
    case "webhook":
      return denialOf(hook.name, hook.denial ?? {});
    case "webhook_failure":
      return internalError(`failed calling webhook ${quote(hook.name)}: ${FAILURES[hook.failure]}`);
    case "policy": {
      const why =
        `ValidatingAdmissionPolicy '${hook.policy}' with binding '${hook.binding}' ` +
        `denied request: ${hook.message}`;
      const details: StatusDetails = {
        ...(request.name === "" ? {} : { name: request.name }),
        ...(request.resource.group === "" ? {} : { group: request.resource.group }),
        kind: request.resource.plural,
        causes: [{ message: why }],
      };
      const subject = `${qualified(request.resource)} ${quote(request.name)}`;
      return makeFailure(422, "Invalid", `${subject} is forbidden: ${why}`, details);
    }
  }
}

const FAILURES = {
  timeout: "failed to call webhook: context deadline exceeded",
  http_500: "failed to call webhook: the server responded with the status code 500",
  unreachable: "failed to call webhook: connect: connection refused",
} as const;

// A denial never carries a code below 400, whatever the webhook says.
function denialOf(name: string, denial: WebhookDenial): Status {
  const denied = `admission webhook ${quote(name)} denied the request`;
  const why = denial.message ?? denial.reason;
  const code = denial.code ?? 400;
  return makeFailure(
    code < 400 ? 400 : code,
    denial.reason,
    why === undefined || why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    denial.details,
  );
}
