import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { planFresh, planOldLoss, resolveFenceposts, type RolloutCounts } from "./rollout-plan.js";

const strategies = fc.record({
  rollingUpdate: fc.record({
    maxSurge: fc.oneof(fc.nat(5), fc.constantFrom("0%", "25%", "100%")),
    maxUnavailable: fc.oneof(fc.nat(5), fc.constantFrom("0%", "25%", "50%")),
  }),
});

describe("a rolling update", () => {
  it("is never over its surge or under its availability, and ends, whatever comes up first", () => {
    fc.assert(
      fc.property(
        strategies,
        fc.nat(12),
        fc.infiniteStream(fc.boolean()),
        (strategy, wanted, coin) => {
          const posts = resolveFenceposts(strategy, wanted);
          let counts: RolloutCounts = {
            wanted,
            fresh: 0,
            freshAvailable: 0,
            old: wanted,
            oldAvailable: wanted,
          };
          for (let step = 0; step < 200; step += 1) {
            const fresh = planFresh(counts, posts);
            counts = { ...counts, fresh };
            expect(fresh + counts.old).toBeLessThanOrEqual(wanted + posts.maxSurge);
            const loss = planOldLoss(counts, posts);
            const old = counts.old - loss;
            counts = { ...counts, old, oldAvailable: Math.min(counts.oldAvailable, old) };
            expect(counts.freshAvailable + counts.oldAvailable).toBeGreaterThanOrEqual(
              wanted - posts.maxUnavailable,
            );
            // Some of the new Pods become ready now, or none; sooner or later all do.
            const isReady = coin.next().value === true || step % 4 === 3;
            if (isReady && counts.freshAvailable < counts.fresh) {
              counts = { ...counts, freshAvailable: counts.freshAvailable + 1 };
            }
          }
          expect(counts).toMatchObject({ fresh: wanted, freshAvailable: wanted, old: 0 });
        },
      ),
    );
  });

  it.each([
    ["25%", "25%", 4, { maxSurge: 1, maxUnavailable: 1 }],
    ["25%", "25%", 3, { maxSurge: 1, maxUnavailable: 0 }],
    [0, 0, 3, { maxSurge: 0, maxUnavailable: 1 }],
    ["0%", 7, 3, { maxSurge: 0, maxUnavailable: 3 }],
  ])("with surge %s and %s unavailable of %i has %o", (maxSurge, maxUnavailable, wanted, posts) => {
    expect(resolveFenceposts({ rollingUpdate: { maxSurge, maxUnavailable } }, wanted)).toEqual(
      posts,
    );
  });
});
