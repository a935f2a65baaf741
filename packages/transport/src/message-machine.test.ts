import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stepUpgradedStream, type UpgradedStreamEvent } from "@connectors/domain";
import type { UpgradeBounds } from "@connectors/sdk";
import { openState, stepStream, type StreamInput, type StreamState } from "./message-machine.js";

const bounds: UpgradeBounds = { messageBytesMax: 10, totalBytesMax: 25, timeoutMs: 1000 };

function run(...inputs: StreamInput[]): StreamState {
  return inputs.reduce((state, input) => stepStream(state, input, bounds), openState);
}

function message(bytes: number): StreamInput {
  return { saw: "message", bytes };
}

const ends = [
  { input: { saw: "close" }, event: "close", end: "closed" },
  { input: { saw: "loss" }, event: "lose", end: "lost", code: "unavailable" },
  { input: { saw: "stop" }, event: "lose", end: "lost", code: "unavailable" },
  { input: { saw: "violation" }, event: "lose", end: "lost", code: "upstream_protocol" },
  { input: { saw: "oversize" }, event: "overflow", end: "truncated", code: "capacity" },
  { input: { saw: "deadline" }, event: "expire", end: "deadline", code: "timeout" },
] satisfies { input: StreamInput; event: UpgradedStreamEvent; end: string; code?: string }[];

const anyInput: fc.Arbitrary<StreamInput> = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(message),
  fc.constantFrom(...ends.map((row) => row.input as StreamInput)),
);

describe("an open stream", () => {
  test.each(ends)("that saw $input.saw ends as $end", ({ input, event, end, code }) => {
    const state = run(message(1), input as StreamInput);
    // Every way out is a move of the model.
    const at = stepUpgradedStream("open", event);
    expect(state).toMatchObject({
      at,
      end: code === undefined ? { end } : { end, failure: { code } },
    });
  });

  test("takes a message at its bound, and ends at one byte more", () => {
    expect(run(message(10))).toEqual({ at: "open", totalBytes: 10 });
    expect(run(message(11)).at).toBe("truncated");
  });

  test("takes its bound of bytes in all, and ends at one byte more", () => {
    expect(run(message(10), message(10), message(5))).toEqual({ at: "open", totalBytes: 25 });
    expect(run(message(10), message(10), message(6)).at).toBe("truncated");
    expect(run(message(10), message(10), message(5), message(0)).at).toBe("open");
    expect(run(message(10), message(10), message(5), message(1)).at).toBe("truncated");
  });

  test("ends once, and whatever comes later changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
        let state: StreamState = openState;
        for (const input of inputs) {
          const next = stepStream(state, input, bounds);
          if (state.at !== "open") expect(next).toBe(state);
          else if (next.at === "open") {
            expect(input.saw).toBe("message");
            expect(next.totalBytes).toBeLessThanOrEqual(bounds.totalBytesMax);
          }
          state = next;
        }
      }),
    );
  });
});
