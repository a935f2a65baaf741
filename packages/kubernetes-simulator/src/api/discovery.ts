import { createHash } from "node:crypto";

import { encodeJson } from "../go-format.js";
import type { BodyAnswer } from "../http/answer.js";
import { answerJson } from "../http/answer.js";
import type { JsonObject } from "../json-value.js";
import {
  groupVersionOf,
  RESOURCE_KINDS,
  REVIEW_KINDS,
  type ResourceKind,
  type ReviewKind,
} from "./resource-kind.js";

const AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** The aggregated discovery of `/api` (the core alone) or `/apis` (the named groups). */
export function answerAggregatedDiscovery(root: "api" | "apis"): BodyAnswer {
  const items = groupsOf(root).map((group) => ({
    metadata: group === "" ? {} : { name: group },
    versions: [{ version: "v1", resources: aggregatedResources(group), freshness: "Current" }],
  }));
  const list = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items,
  };
  const hash = createHash("sha512").update(encodeJson(list)).digest("hex").toUpperCase();
  return {
    ...answerJson(list, 200, {
      ETag: `"${hash}"`,
      Vary: "Accept",
      "Cache-Control": "public",
    }),
    contentType: AGGREGATED_TYPE,
  };
}

/** The old form of `/api`. */
export function makeApiVersions(address: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** The old form of `/apis`. */
export function makeGroupList(): JsonObject {
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groupsOf("apis").map((group) => describeGroup(group)),
  };
}

/** `/apis/GROUP`; undefined for a group that is not served. */
export function makeGroup(group: string): JsonObject | undefined {
  if (group === "" || !groupsOf("apis").includes(group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

/** `/api/v1` or `/apis/GROUP/VERSION`; undefined for one that is not served. */
export function makeResourceList(group: string, version: string): JsonObject | undefined {
  const kinds = kindsOf(group).filter((kind) => kind.version === version);
  const reviews = reviewsOf(group).filter((review) => review.version === version);
  if (kinds.length + reviews.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    // The core's own list says nothing of its version.
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersionOf({ group, version }),
    resources: [
      ...kinds.flatMap((kind) => [describeResource(kind), ...describeSubresources(kind)]),
      ...reviews.map((review) => ({
        name: review.plural,
        singularName: review.singular,
        namespaced: false,
        kind: review.kind,
        verbs: ["create"],
      })),
    ],
  };
}

/** Whether anything of a group and version is served. */
export function isServed(group: string, version: string): boolean {
  return makeResourceList(group, version) !== undefined;
}

/** Whether anything of a group is served. */
export function isServedGroup(group: string): boolean {
  return group === "" || groupsOf("apis").includes(group);
}

function groupsOf(root: "api" | "apis"): readonly string[] {
  if (root === "api") return [""];
  const groups = [...RESOURCE_KINDS, ...REVIEW_KINDS].map(({ group }) => group);
  return [...new Set(groups)].filter((group) => group !== "");
}

function kindsOf(group: string): readonly ResourceKind[] {
  return RESOURCE_KINDS.filter((kind) => kind.group === group);
}

function reviewsOf(group: string): readonly ReviewKind[] {
  return REVIEW_KINDS.filter((review) => review.group === group);
}

function describeGroup(group: string): JsonObject {
  const version = { groupVersion: `${group}/v1`, version: "v1" };
  return { name: group, versions: [version], preferredVersion: version };
}

function describeResource(kind: ResourceKind): JsonObject {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
  };
}

function describeSubresources(kind: ResourceKind): readonly JsonObject[] {
  return kind.subresources.map(({ name, verbs, responseKind }) => ({
    name: `${kind.plural}/${name}`,
    singularName: "",
    namespaced: kind.namespaced,
    ...(responseKind === undefined || responseKind.group === ""
      ? {}
      : { group: responseKind.group, version: responseKind.version }),
    kind: responseKind?.kind ?? kind.kind,
    verbs,
  }));
}

// A kind of the group itself is named without group and version.
function aggregatedResources(group: string): readonly JsonObject[] {
  return [
    ...kindsOf(group).map((kind) => ({
      resource: kind.plural,
      responseKind: ownKind(kind.kind),
      scope: kind.namespaced ? "Namespaced" : "Cluster",
      singularResource: kind.singular,
      verbs: kind.verbs,
      ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
      ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
      ...(kind.subresources.length === 0
        ? {}
        : {
            subresources: kind.subresources.map(({ name, verbs, responseKind }) => ({
              subresource: name,
              responseKind:
                responseKind === undefined || responseKind.group === ""
                  ? ownKind(responseKind?.kind ?? kind.kind)
                  : { ...responseKind },
              verbs,
            })),
          }),
    })),
    ...reviewsOf(group).map((review) => ({
      resource: review.plural,
      responseKind: ownKind(review.kind),
      scope: "Cluster",
      singularResource: review.singular,
      verbs: ["create"],
    })),
  ];
}

function ownKind(kind: string): JsonObject {
  return { group: "", version: "", kind };
}
