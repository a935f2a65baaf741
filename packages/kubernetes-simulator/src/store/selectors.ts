import { refuse, accept, type Verdict } from "../verdict.js";
import { badRequest } from "../refusals.js";
import { quote } from "../go-format.js";
import { stringAt } from "../json-value.js";
import { asJson, type StoredObject } from "./stored-object.js";

/** Whether an object is selected. */
export type Selection = (object: StoredObject) => boolean;

type Labels = { readonly [key: string]: string };
type Requirement = (labels: Labels) => boolean;

/** Every object. */
export const EVERYTHING: Selection = () => true;

/** The objects that a `labelSelector` selects: `a=b,c!=d,e in (f,g),h,!i`. */
export function parseLabelSelector(text: string): Verdict<Selection> {
  const requirements: Requirement[] = [];
  for (const part of splitRequirements(text)) {
    const requirement = parseRequirement(part);
    if (!requirement.ok) return requirement;
    requirements.push(requirement.value);
  }
  return accept((object) => {
    const labels = object.metadata.labels ?? {};
    return requirements.every((requirement) => requirement(labels));
  });
}

const KEY = String.raw`(?:[a-z0-9A-Z.-]{1,253}/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?`;
const EQUALITY = new RegExp(String.raw`^(${KEY})\s*(==|=|!=)\s*([\w.-]{0,63})$`, "u");
const MEMBERSHIP = new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`, "u");
const EXISTENCE = new RegExp(String.raw`^(!?)\s*(${KEY})$`, "u");

function parseRequirement(text: string): Verdict<Requirement> {
  const equality = EQUALITY.exec(text);
  if (equality !== null) {
    const [, key = "", operator, value = ""] = equality;
    return accept((labels) => (labels[key] === value) === (operator !== "!="));
  }
  const membership = MEMBERSHIP.exec(text);
  if (membership !== null) {
    const [, key = "", operator, list = ""] = membership;
    const values = list.split(",").map((value) => value.trim());
    return accept((labels) => {
      const value = labels[key];
      return (value !== undefined && values.includes(value)) === (operator === "in");
    });
  }
  const existence = EXISTENCE.exec(text);
  if (existence !== null) {
    const [, not, key = ""] = existence;
    return accept((labels) => Object.hasOwn(labels, key) === (not === ""));
  }
  return refuse(badRequest(`unable to parse requirement: ${quote(text)} is no requirement`));
}

// Commas inside parentheses belong to a set.
function splitRequirements(text: string): readonly string[] {
  return text
    .split(/,(?![^(]*\))/u)
    .map((part) => part.trim())
    .filter((part, _index, all) => part !== "" || all.length > 1);
}

/** The objects that a `fieldSelector` selects, by the fields that their kind can be selected by. */
export function parseFieldSelector(text: string, kind: string): Verdict<Selection> {
  const terms: { readonly field: string; readonly value: string; readonly equal: boolean }[] = [];
  const known = SELECTABLE.get(kind) ?? COMMON;
  for (const part of text.split(",")) {
    if (part.trim() === "") continue;
    const match = /^([^=!]+?)\s*(==|=|!=)(.*)$/u.exec(part.trim());
    if (match === null) {
      return refuse(
        badRequest(`invalid selector: ${quote(text)}; can't understand ${quote(part)}`),
      );
    }
    const [, field = "", operator, value = ""] = match;
    if (!known.includes(field)) {
      const supported = known.map(quote).join(", ");
      return refuse(badRequest(`${quote(field)} is not a known field selector: only ${supported}`));
    }
    terms.push({ field, value, equal: operator !== "!=" });
  }
  return accept((object) =>
    terms.every(
      ({ field, value, equal }) =>
        (stringAt(asJson(object), ...field.split(".")) === value) === equal,
    ),
  );
}

/** The value that a field selector fixes `metadata.name` to, if it does. */
export function nameInFieldSelector(text: string): string | undefined {
  for (const part of text.split(",")) {
    const match = /^metadata\.name==?(.+)$/u.exec(part.trim());
    if (match !== null) return match[1];
  }
  return undefined;
}

const COMMON: readonly string[] = ["metadata.name", "metadata.namespace"];

const SELECTABLE: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "Pod",
    [
      ...COMMON,
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "status.phase",
      "status.podIP",
      "status.nominatedNodeName",
    ],
  ],
  ["Namespace", ["metadata.name", "status.phase"]],
  ["Node", ["metadata.name", "spec.unschedulable"]],
  ["Service", [...COMMON, "spec.clusterIP", "spec.type"]],
  ["ReplicaSet", [...COMMON, "status.replicas"]],
]);
