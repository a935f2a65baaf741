import {
  execConsumedBytesMax,
  execStreamLifecycle,
  statusBytesMax,
  type ExecStreamState,
} from "@connectors/domain";
import { makeFailure } from "@connectors/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isExecOver,
  startExecStream,
  stepExecEnd,
  stepExecMessage,
  type ExecStream,
} from "./exec-frames.js";
import { describeExecStatus } from "./exec-status.js";
import { describeOutput } from "./output-text.js";

const frame = (channel: number, data: string | Uint8Array = ""): Uint8Array =>
  Buffer.concat([Uint8Array.of(channel), Buffer.from(data)]);
const success = '{"metadata":{},"status":"Success"}';

function run(...messages: readonly Uint8Array[]): ExecStream {
  let stream = startExecStream(64);
  for (const message of messages)
    if (!isExecOver(stream)) stream = stepExecMessage(stream, message);
  return stream;
}

describe("messages", () => {
  test("of channels 1 and 2 are output, in order, and a channel byte alone is ordinary", () => {
    const stream = run(frame(1), frame(1, "a"), frame(2, "x"), frame(1, "b"), frame(2));
    expect([describeOutput(stream.stdout), describeOutput(stream.stderr)]).toEqual(["ab", "x"]);
    expect(stream).toMatchObject({ state: "streaming", end: "none", consumedBytes: 8 });
  });

  test("of channel 3 are one status, however they are cut, and output after it counts", () => {
    const stream = run(frame(3, success.slice(0, 9)), frame(3, success.slice(9)), frame(1, "late"));
    expect(stream.state).toBe("reported");
    expect(describeExecStatus(stream.status).status).toBe("success");
    expect(describeOutput(stream.stdout)).toBe("late");
  });

  test("of channel 3 without data are no status", () => {
    const stream = run(frame(3));
    expect(stream.state).toBe("streaming");
    expect(describeExecStatus(stream.status).status).toBe("none");
  });

  test.each([0, 4, 5, 49, 255])("of channel %i are a violation, even after a status", (channel) => {
    expect(run(frame(3, success), frame(channel, "x"))).toMatchObject({
      state: "broken",
      end: "violation",
    });
  });

  test("of zero bytes are a violation", () => {
    expect(run(new Uint8Array())).toMatchObject({ state: "broken", end: "violation" });
  });

  test("may hold statusBytesMax bytes of status and not one more", () => {
    const full = run(frame(3, "x".repeat(statusBytesMax - 1)), frame(3, "x"));
    expect(full.end).toBe("none");
    expect(stepExecMessage(full, frame(3, "x")).end).toBe("violation");
  });

  test("may have execConsumedBytesMax bytes in all, channel bytes counted, and not one more", () => {
    const mebibyte = frame(1, new Uint8Array(1024 * 1024 - 1));
    let stream = startExecStream(64);
    for (let n = 0; n < execConsumedBytesMax / mebibyte.length; n += 1) {
      stream = stepExecMessage(stream, mebibyte);
    }
    expect(stream).toMatchObject({ end: "none", consumedBytes: execConsumedBytesMax });
    expect(stepExecMessage(stream, frame(1))).toMatchObject({ state: "broken", end: "overflow" });
  });
});

describe("ends", () => {
  const failure = makeFailure("unavailable", "gone");
  test.each([
    ["closed", { end: "closed" }, null],
    ["lost", { end: "lost", failure }, failure],
    ["truncated", { end: "truncated", failure }, null],
    ["deadline", { end: "deadline", failure }, null],
  ] as const)("as %s is kept as it came", (end, given, lost) => {
    expect(stepExecEnd(run(frame(1, "a")), given)).toMatchObject({ state: "ended", end, lost });
  });
});

test("every walk makes moves of the lifecycle alone, and stands still once it is over", () => {
  const input = fc.oneof(
    fc.record({ channel: fc.constantFrom(1, 2, 3, 0, 255), size: fc.nat(40) }),
    fc.constantFrom("closed" as const, "empty" as const),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 12 }), (inputs) => {
      let stream = startExecStream(16);
      for (const step of inputs) {
        if (isExecOver(stream)) break;
        const before: ExecStreamState = stream.state;
        if (step === "closed") stream = stepExecEnd(stream, { end: "closed" });
        else if (step === "empty") stream = stepExecMessage(stream, new Uint8Array());
        else stream = stepExecMessage(stream, frame(step.channel, "y".repeat(step.size)));
        const legal = Object.values(execStreamLifecycle.moves[before]);
        expect(stream.state === before || legal.includes(stream.state)).toBe(true);
        expect(execStreamLifecycle.terminal.includes(stream.state)).toBe(isExecOver(stream));
      }
    }),
    { numRuns: 2_000 },
  );
});

describe("a status", () => {
  const read = (value: unknown): unknown => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const { status, exitCode, reason } = describeExecStatus(run(frame(3, text)).status);
    return status === "exit" ? exitCode : `${status} ${reason}`;
  };
  const exit = (message: unknown, more: object = {}): unknown =>
    read({
      metadata: {},
      status: "Failure",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message }] },
      ...more,
    });

  test("is an exit code of 1 to 255 in canonical digits", () => {
    expect(exit("1")).toBe(1);
    expect(exit("255")).toBe(255);
    expect(exit("137", { code: 500, message: "killed" })).toBe(137);
  });

  test.each(["0", "007", "256", "1000", "-1", "+1", "1.0", " 1", "1\n", "", "٣"])(
    "with the exit code %j settles nothing",
    (message) => {
      expect(exit(message)).toBe("other NonZeroExitCode");
    },
  );

  test.each([
    [
      "a number for an exit code",
      { details: { causes: [{ reason: "ExitCode", message: 3 }] } },
      "other other",
    ],
    [
      "two exit codes",
      {
        details: {
          causes: [
            { reason: "ExitCode", message: "3" },
            { reason: "ExitCode", message: "3" },
          ],
        },
      },
      "other NonZeroExitCode",
    ],
    ["no cause", { details: { causes: [] } }, "other NonZeroExitCode"],
    ["no details", { details: null }, "other NonZeroExitCode"],
    ["another reason", { reason: "InternalError" }, "other InternalError"],
    ["a reason that nobody knows", { reason: "Mystery" }, "other other"],
    [
      "another cause beside it",
      {
        details: {
          causes: [
            { reason: "x", message: "y" },
            { reason: "ExitCode", message: "3" },
          ],
        },
      },
      3,
    ],
  ])("with %s is read so", (_what, more, expected) => {
    expect(exit("3", more)).toBe(expected);
  });

  test.each([
    [
      "Success, whatever else it says",
      { status: "Success", reason: "NonZeroExitCode" },
      "success Success",
    ],
    ["no JSON", "command terminated", "other other"],
    ["a member twice", '{"status":"Failure","status":"Success"}', "other other"],
    ["a cut document", success.slice(0, -1), "other other"],
    ["two documents", success + success, "other other"],
    ["an unknown status", { status: "Done" }, "other other"],
  ])("that is %s is read so", (_what, value, expected) => {
    expect(read(value)).toBe(expected);
  });
});
