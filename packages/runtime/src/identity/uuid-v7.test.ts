import { makeManualAmbient } from "@connectors/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeUuidV7 } from "./uuid-v7.js";

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("a UUIDv7", () => {
  test("carries the clock's milliseconds, the version and the variant", () => {
    const ambient = makeManualAmbient({ startMs: 0x0123456789ab });
    const id = makeUuidV7(ambient.clock, ambient.random)();
    expect(id).toMatch(shape);
    expect(id.replaceAll("-", "").slice(0, 12)).toBe("0123456789ab");
  });

  test("is greater than every earlier one, whatever the clock does", () => {
    const steps = fc.array(fc.integer({ min: -10_000, max: 50 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.nat(), (shifts, seed) => {
        const ambient = makeManualAmbient({ seed });
        const next = makeUuidV7(ambient.clock, ambient.random);
        let last = next();
        for (const shift of shifts) {
          ambient.shiftNow(shift);
          const id = next();
          expect(id).toMatch(shape);
          expect(id > last).toBe(true);
          last = id;
        }
      }),
      { numRuns: 100 },
    );
  });

  test("goes on into the next millisecond when one holds no more", () => {
    const ambient = makeManualAmbient();
    const next = makeUuidV7(ambient.clock, ambient.random);
    const ids = Array.from({ length: 10_000 }, next);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  test("differs between makers at the same moment", () => {
    const one = makeManualAmbient({ seed: 1 });
    const two = makeManualAmbient({ seed: 2 });
    expect(makeUuidV7(one.clock, one.random)()).not.toBe(makeUuidV7(two.clock, two.random)());
  });
});
