import { describeGoValue } from "../go-format.js";
import { equalJson, isJsonObject, numberAt, objectAt, type JsonObject } from "../json-value.js";
import type { StoredObject } from "../store/stored-object.js";
import { immutable, invalid, required, unsupported, type FieldError } from "./field-error.js";
import { checkAnnotations, checkLabels } from "./names.js";
import { withStatus, type KindRules } from "./kind-rules.js";
import { isEmptySelector, matchesLabelSelector } from "./label-selector.js";
import { defaultPodSpec, validatePodSpec } from "./pod-template.js";

/** Deployments: defaults, selector rules, and a generation that annotations move too. */
export const DEPLOYMENT_RULES: KindRules = {
  defaults: (object) => {
    const spec = objectAt(object, "spec");
    return withWorkloadSpec(object, {
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
      strategy: defaultStrategy(objectAt(spec, "strategy")),
    });
  },
  prepareCreate: (object) => withStatus(object, {}),
  prepareUpdate: (next, current) => withStatus(next, current.status),
  validate: validateWorkload,
  validateUpdate: validateSelectorKept,
  movesGeneration: (next, current) =>
    !equalJson(next.spec, current.spec) ||
    !equalJson(next.metadata.annotations ?? {}, current.metadata.annotations ?? {}),
  hasGeneration: true,
};

/** ReplicaSets. */
export const REPLICA_SET_RULES: KindRules = {
  defaults: (object) => withWorkloadSpec(object, { replicas: 1, ...objectAt(object, "spec") }),
  prepareCreate: (object) => withStatus(object, { replicas: 0 }),
  prepareUpdate: (next, current) => withStatus(next, current.status),
  validate: validateWorkload,
  validateUpdate: validateSelectorKept,
  movesGeneration: (next, current) => !equalJson(next.spec, current.spec),
  hasGeneration: true,
};

function withWorkloadSpec(object: JsonObject, spec: JsonObject): JsonObject {
  const template = objectAt(spec, "template");
  return {
    ...object,
    spec: {
      ...spec,
      template: { ...template, spec: defaultPodSpec(objectAt(template, "spec")) },
    },
  };
}

function defaultStrategy(strategy: JsonObject): JsonObject {
  const type = strategy["type"] ?? "RollingUpdate";
  if (type !== "RollingUpdate") return { ...strategy, type };
  const rolling = strategy["rollingUpdate"];
  return {
    ...strategy,
    type,
    rollingUpdate: {
      maxUnavailable: "25%",
      maxSurge: "25%",
      ...(isJsonObject(rolling) ? rolling : {}),
    },
  };
}

function validateWorkload(object: StoredObject): readonly FieldError[] {
  const spec = objectAt(object.spec);
  const errors: FieldError[] = [];
  for (const count of ["replicas", "minReadySeconds", "revisionHistoryLimit"]) {
    const value = numberAt(spec, count) ?? 0;
    if (value < 0) {
      errors.push(invalid(`spec.${count}`, value, "must be greater than or equal to 0"));
    }
  }
  const selector = spec["selector"];
  const labels = objectAt(spec, "template", "metadata", "labels");
  if (!isJsonObject(selector)) errors.push(required("spec.selector"));
  else if (isEmptySelector(selector)) {
    errors.push(invalid("spec.selector", selector, "empty selector is invalid for deployment"));
  }
  const strings = Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [key, describeGoValue(value)]),
  );
  if (!isJsonObject(selector) || !matchesLabelSelector(selector, strings)) {
    const shown = Object.keys(labels).length === 0 ? null : labels;
    const why = "`selector` does not match template `labels`";
    errors.push(invalid("spec.template.metadata.labels", shown, why));
  }
  return [
    ...errors,
    ...validatePodSpec("spec.template.spec", objectAt(spec, "template", "spec")),
    ...validateRestartPolicy(spec),
    ...validateStrategy(spec),
    ...validateDeadline(spec),
  ];
}

// What a workload's Pods are for is to run for ever.
function validateRestartPolicy(spec: JsonObject): readonly FieldError[] {
  const policy = objectAt(spec, "template", "spec")["restartPolicy"];
  if (policy === undefined || policy === "Always") return [];
  return [unsupported("spec.template.spec.restartPolicy", policy, ["Always"])];
}

function validateStrategy(spec: JsonObject): readonly FieldError[] {
  const strategy = objectAt(spec, "strategy");
  const type = strategy["type"];
  if (type === undefined || type === "RollingUpdate") return [];
  if (type !== "Recreate") {
    return [unsupported("spec.strategy", strategy, ["Recreate", "RollingUpdate"])];
  }
  if (strategy["rollingUpdate"] === undefined) return [];
  return [
    {
      reason: "FieldValueForbidden",
      field: "spec.strategy.rollingUpdate",
      message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
    },
  ];
}

function validateDeadline(spec: JsonObject): readonly FieldError[] {
  const deadline = numberAt(spec, "progressDeadlineSeconds");
  if (deadline === undefined || deadline > (numberAt(spec, "minReadySeconds") ?? 0)) return [];
  const why = "must be greater than minReadySeconds";
  return [invalid("spec.progressDeadlineSeconds", deadline, why)];
}

function validateSelectorKept(next: StoredObject, current: StoredObject): readonly FieldError[] {
  const selector = objectAt(next.spec)["selector"];
  const { labels, annotations } = next.metadata;
  return [
    // The server looks at these once more here, and lists what is wrong again.
    ...checkLabels("metadata.labels", labels),
    ...checkAnnotations("metadata.annotations", annotations),
    ...(equalJson(selector, objectAt(current.spec)["selector"])
      ? []
      : [immutable("spec.selector", selector ?? null)]),
  ];
}
