import { statusBytesMax, statusCausesMax } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { parseExecStatus, parseStatus } from "./status.js";

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const conflict = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "Operation cannot be fulfilled",
  reason: "Conflict",
  details: { name: "api", group: "apps", kind: "deployments" },
  code: 409,
};
const exit3 = {
  metadata: {},
  status: "Failure",
  message: "command terminated with exit code 3",
  reason: "NonZeroExitCode",
  details: { causes: [{ reason: "ExitCode", message: "3" }] },
};

function codeOf(outcome: ReturnType<typeof parseStatus>): string {
  return outcome.ok ? "ok" : outcome.failure.code;
}

describe("an HTTP answer's Status", () => {
  test("is read with its details, and absent members are null", () => {
    expect(parseStatus(bytes(conflict))).toEqual({
      ok: true,
      value: {
        status: "Failure",
        reason: "Conflict",
        code: 409,
        message: "Operation cannot be fulfilled",
        details: {
          name: "api",
          group: "apps",
          kind: "deployments",
          uid: null,
          causes: [],
          retryAfterSeconds: null,
        },
      },
    });
  });

  test("may have members that are not known here, and nulls where Go writes them", () => {
    const status = {
      ...conflict,
      metadata: { remainingItemCount: 3 },
      extra: [1],
      details: { ...conflict.details, causes: null, uid: null },
    };
    expect(codeOf(parseStatus(bytes(status)))).toBe("ok");
    expect(codeOf(parseStatus(bytes({ ...conflict, details: null })))).toBe("ok");
  });

  test.each([
    ["another kind", { ...conflict, kind: "Deployment" }],
    ["no kind", { ...conflict, kind: undefined }],
    ["another apiVersion", { ...conflict, apiVersion: "v2" }],
    ["no apiVersion", { ...conflict, apiVersion: undefined }],
    ["an unknown status", { ...conflict, status: "Perhaps" }],
    ["no status", { ...conflict, status: undefined }],
    ["a status of another type", { ...conflict, status: true }],
    ["a reason of another type", { ...conflict, reason: 409 }],
    ["a code as text", { ...conflict, code: "409" }],
    ["a code with a fraction", { ...conflict, code: 409.5 }],
    ["details of another type", { ...conflict, details: [] }],
    ["causes of another type", { ...conflict, details: { causes: {} } }],
    ["a cause of another type", { ...conflict, details: { causes: ["x"] } }],
    ["a cause's field of another type", { ...conflict, details: { causes: [{ field: 1 }] } }],
    ["an array", [conflict]],
    ["a string", "Failure"],
    ["null", null],
  ])("with %s is refused", (_what, value) => {
    expect(codeOf(parseStatus(bytes(value)))).toBe("upstream_protocol");
  });

  test("with a member twice is refused, since readers would differ", () => {
    const text = '{"kind":"Status","apiVersion":"v1","status":"Failure","status":"Success"}';
    expect(codeOf(parseStatus(new TextEncoder().encode(text)))).toBe("upstream_protocol");
  });

  test("is read up to statusBytesMax, and one byte more is capacity", () => {
    const pad = (length: number): Uint8Array => {
      const empty = bytes({ ...conflict, message: "" }).byteLength;
      return bytes({ ...conflict, message: "x".repeat(length - empty) });
    };
    expect(codeOf(parseStatus(pad(statusBytesMax)))).toBe("ok");
    expect(codeOf(parseStatus(pad(statusBytesMax + 1)))).toBe("capacity");
  });

  test("may have statusCausesMax causes and not one more", () => {
    const causes = (count: number): Uint8Array =>
      bytes({ ...conflict, details: { causes: Array.from({ length: count }, () => ({})) } });
    expect(codeOf(parseStatus(causes(statusCausesMax)))).toBe("ok");
    expect(codeOf(parseStatus(causes(statusCausesMax + 1)))).toBe("upstream_protocol");
  });

  test("that is refused never has its text in the failure", () => {
    const outcome = parseStatus(bytes({ ...conflict, status: "s3cret", message: "s3cret" }));
    expect(JSON.stringify(outcome)).not.toContain("s3cret");
  });
});

describe("an exec stream's status", () => {
  test("has neither kind nor apiVersion", () => {
    const outcome = parseExecStatus(bytes(exit3));
    expect(outcome.ok && outcome.value.details?.causes).toEqual([
      { reason: "ExitCode", message: "3", field: null },
    ]);
    expect(codeOf(parseExecStatus(bytes({ metadata: {}, status: "Success" })))).toBe("ok");
  });

  test("may have both, if they are those of a v1 Status", () => {
    const typed = { ...exit3, kind: "Status", apiVersion: "v1" };
    expect(codeOf(parseExecStatus(bytes(typed)))).toBe("ok");
    expect(codeOf(parseExecStatus(bytes({ ...typed, kind: "Pod" })))).toBe("upstream_protocol");
    expect(codeOf(parseExecStatus(bytes({ ...typed, apiVersion: "v2" })))).toBe(
      "upstream_protocol",
    );
  });

  test("that is empty, cut or not JSON is refused", () => {
    for (const text of ["", '{"status":"Succ', "command terminated"]) {
      expect(codeOf(parseExecStatus(new TextEncoder().encode(text)))).toBe("upstream_protocol");
    }
  });
});
