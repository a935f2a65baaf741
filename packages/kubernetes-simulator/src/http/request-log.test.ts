import { describe, expect, it } from "vitest";

import { makeRequestLog, type RequestLog } from "./request-log.js";

function begin(log: RequestLog, path: string): ReturnType<RequestLog["begin"]> {
  const headers = { authorization: "Bearer secret", accept: "*/*" };
  return log.begin({ atMs: 0, method: "GET", path, query: "", headers, auditId: "a" });
}

describe("the request log", () => {
  it("keeps the newest records and counts all", () => {
    const log = makeRequestLog({ requestRecordsMax: 10, requestRecordLettersMax: 1e9 });
    for (let count = 1; count <= 100; count += 1) begin(log, `/${count}`);
    expect(log.total()).toBe(100);
    const numbers = log.records().map(({ number }) => number);
    expect(numbers.length).toBeLessThanOrEqual(10);
    expect(numbers.at(-1)).toBe(100);
    log.clear();
    expect(log.records()).toEqual([]);
    expect(log.total()).toBe(100);
  });

  it("keeps no more letters than its bound, bodies included", () => {
    const log = makeRequestLog({ requestRecordsMax: 1_000, requestRecordLettersMax: 10_000 });
    for (let count = 0; count < 50; count += 1) begin(log, "/").note({ body: "x".repeat(1_000) });
    expect(JSON.stringify(log.records()).length).toBeLessThan(12_000);
    expect(log.records().length).toBeGreaterThan(1);
  });

  it("keeps no credential", () => {
    const log = makeRequestLog();
    begin(log, "/").note({ user: "ann", status: 200 });
    expect(JSON.stringify(log.records())).not.toContain("secret");
    expect(log.records()[0]).toMatchObject({ user: "ann", status: 200, executions: 0 });
  });
});
