import { describe, expect, test } from "vitest";
import { guardedRestart } from "./01-guarded-restart.js";
import { oneUseWrite } from "./02-one-use-write.js";

describe("examples", () => {
  test("1: a guarded restart is applied once, and the audit chain is whole", async () => {
    const { classification, generations, auditRecords } = await guardedRestart();
    expect(classification).toBe("applied");
    expect(generations[1]).toBe(generations[0] + 1);
    expect(auditRecords).toBeGreaterThanOrEqual(4);
  });

  test("2: a write that was tried once sends nothing the second time", async () => {
    const seen = await oneUseWrite();
    expect(seen).toMatchObject({ read: 200, first: 200, patchesSeen: 1, second: { sent: "no" } });
  });
});
