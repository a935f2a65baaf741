import { describe, expect, it } from "vitest";

import { readSchemas } from "../schema/documents.js";
import { asStored, type StoredObject } from "../store/stored-object.js";
import { trackManagedFields, type FieldManager } from "./managed-fields.js";

const schema = readSchemas().get("io.k8s.api.apps.v1.Deployment");

function by(name: string, second: number, subresource = ""): FieldManager {
  return { name, subresource, time: `2026-11-30T12:00:0${second}Z` };
}

function deployment(labels: Record<string, string>, replicas: number): StoredObject {
  return asStored({
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name: "api", uid: "u", labels },
    spec: {
      replicas,
      template: {
        metadata: {},
        spec: { containers: [{ name: "app", ports: [{ containerPort: 80, protocol: "TCP" }] }] },
      },
    },
  });
}

function owners(object: StoredObject): Record<string, string> {
  return Object.fromEntries(
    (object.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [
      manager,
      JSON.stringify(fieldsV1),
    ]),
  );
}

describe("managed fields", () => {
  const created = trackManagedFields(deployment({ a: "1" }, 2), undefined, by("one", 1), schema);

  it("of a new object are all that was given, lists by their keys", () => {
    expect(created.metadata.managedFields).toEqual([
      {
        manager: "one",
        operation: "Update",
        apiVersion: "apps/v1",
        time: "2026-11-30T12:00:01Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
          "f:spec": {
            "f:replicas": {},
            "f:template": {
              "f:spec": {
                "f:containers": {
                  'k:{"name":"app"}': {
                    ".": {},
                    "f:name": {},
                    "f:ports": {
                      ".": {},
                      'k:{"containerPort":80,"protocol":"TCP"}': {
                        ".": {},
                        "f:containerPort": {},
                        "f:protocol": {},
                      },
                    },
                  },
                },
              },
              "f:metadata": {},
            },
          },
        },
      },
    ]);
  });

  it("pass to whoever changes them and stay with nobody who removes them", () => {
    const wanted = {
      ...deployment({ b: "2" }, 3),
      metadata: { ...created.metadata, labels: { b: "2" } },
    };
    const changed = trackManagedFields(wanted, created, by("two", 2), schema);
    const { one = "", two = "" } = owners(changed);
    expect(two).toBe('{"f:metadata":{"f:labels":{"f:b":{}}},"f:spec":{"f:replicas":{}}}');
    expect(one).not.toContain("f:replicas");
    expect(one).not.toContain("f:a");
    expect(one).toContain("f:containers");
  });

  it("of a change that changes nothing are what they were", () => {
    expect(trackManagedFields(created, created, by("two", 2), schema)).toEqual(created);
  });

  it("keep the status of one manager apart from the rest of the same one", () => {
    const wanted = { ...created, status: { replicas: 2 } };
    const changed = trackManagedFields(wanted, created, by("one", 2, "status"), schema);
    expect(changed.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([
      undefined,
      "status",
    ]);
    const again = trackManagedFields(wanted, created, by("one", 2), schema);
    expect(again.metadata.managedFields).toHaveLength(1);
  });
});
