import {
  arrayAt,
  isJsonObject,
  objectAt,
  stringAt,
  withMember,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { invalid, required, type FieldError } from "./field-error.js";
import { checkLabelName } from "./names.js";

/** A Pod's spec with what the server fills in. */
export function defaultPodSpec(spec: JsonObject): JsonObject {
  const lists = Object.fromEntries(
    ["containers", "initContainers"]
      .filter((list) => Object.hasOwn(spec, list))
      .map((list) => [list, mapObjects(spec[list], defaultContainer)]),
  );
  return {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
    ...spec,
    ...lists,
    ...(Object.hasOwn(spec, "volumes")
      ? { volumes: mapObjects(spec["volumes"], defaultVolume) }
      : {}),
    ...(Object.hasOwn(spec, "serviceAccountName")
      ? { serviceAccount: spec["serviceAccountName"] ?? null }
      : {}),
  };
}

function defaultContainer(container: JsonObject): JsonObject {
  const probes = Object.fromEntries(
    ["livenessProbe", "readinessProbe", "startupProbe"]
      .filter((probe) => Object.hasOwn(container, probe))
      .map((probe) => [probe, defaultProbe(objectAt(container, probe))]),
  );
  return {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicyOf(stringAt(container, "image")),
    ...container,
    ...probes,
    ...(Object.hasOwn(container, "ports")
      ? { ports: mapObjects(container["ports"], (port) => ({ protocol: "TCP", ...port })) }
      : {}),
    ...(Object.hasOwn(container, "env")
      ? { env: mapObjects(container["env"], defaultVariable) }
      : {}),
  };
}

function defaultProbe(probe: JsonObject): JsonObject {
  const http = probe["httpGet"];
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(isJsonObject(http) ? { httpGet: { path: "/", scheme: "HTTP", ...http } } : {}),
  };
}

function defaultVariable(variable: JsonObject): JsonObject {
  const field = objectAt(variable, "valueFrom", "fieldRef");
  if (Object.keys(field).length === 0) return variable;
  const source = { ...objectAt(variable, "valueFrom"), fieldRef: { apiVersion: "v1", ...field } };
  return { ...variable, valueFrom: source };
}

function defaultVolume(volume: JsonObject): JsonObject {
  const sources = Object.keys(volume).filter((key) => key !== "name");
  if (sources.length === 0) return { ...volume, emptyDir: {} };
  for (const source of ["configMap", "secret", "projected", "downwardAPI"]) {
    const value = volume[source];
    if (isJsonObject(value)) {
      return withMember(volume, source, { ...value, defaultMode: value["defaultMode"] ?? 420 });
    }
  }
  return volume;
}

function pullPolicyOf(image: string): string {
  const tag = /:([^/:]+)$/u.exec(image.split("@")[0] ?? "")?.[1];
  if (image.includes("@")) return "IfNotPresent";
  return tag === undefined || tag === "latest" ? "Always" : "IfNotPresent";
}

/** What is wrong with a Pod's spec, `field` being its path. */
export function validatePodSpec(field: string, spec: JsonObject): readonly FieldError[] {
  const containers = arrayAt(spec, "containers").filter(isJsonObject);
  const errors: FieldError[] = [];
  if (containers.length === 0) errors.push(required(`${field}.containers`));
  const names = new Set<string>();
  for (const list of ["containers", "initContainers"]) {
    for (const [index, container] of arrayAt(spec, list).filter(isJsonObject).entries()) {
      const place = `${field}.${list}[${index}]`;
      const name = stringAt(container, "name");
      errors.push(
        ...(name === "" ? [required(`${place}.name`)] : checkLabelName(`${place}.name`, name)),
      );
      if (names.has(name) && name !== "") errors.push(duplicate(`${place}.name`, name));
      names.add(name);
      if (stringAt(container, "image") === "") errors.push(required(`${place}.image`));
      errors.push(
        ...validatePorts(`${place}.ports`, container),
        ...validateVariables(`${place}.env`, container),
      );
    }
  }
  return errors;
}

function validatePorts(field: string, container: JsonObject): readonly FieldError[] {
  return arrayAt(container, "ports").flatMap((port, index) => {
    const number = isJsonObject(port) ? (port["containerPort"] ?? 0) : 0;
    if (number === 0) return [required(`${field}[${index}].containerPort`)];
    if (typeof number === "number" && number >= 1 && number <= 65_535) return [];
    return [
      invalid(`${field}[${index}].containerPort`, number, "must be between 1 and 65535, inclusive"),
    ];
  });
}

function validateVariables(field: string, container: JsonObject): readonly FieldError[] {
  return arrayAt(container, "env").flatMap((variable, index) => {
    if (stringAt(variable, "value") === "") return [];
    if (Object.keys(objectAt(variable, "valueFrom")).length === 0) return [];
    const why = "may not be specified when `value` is not empty";
    return [invalid(`${field}[${index}].valueFrom`, "", why)];
  });
}

function duplicate(field: string, value: string): FieldError {
  return invalid(field, value, "Duplicate value");
}

function mapObjects(
  list: JsonValue | undefined,
  change: (item: JsonObject) => JsonObject,
): JsonValue {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((item: JsonValue) => (isJsonObject(item) ? change(item) : item));
}
