import * as fc from "fast-check";
import { expect, test } from "vitest";

import { execBounds } from "./exec-bounds.js";
import { cookOutput, IDLE_TERMINAL, stepTerminal, type TerminalOutput } from "./terminal.js";

function type(text: string): readonly TerminalOutput[] {
  return stepTerminal(IDLE_TERMINAL, Buffer.from(text)).outputs;
}

function shown(outputs: readonly TerminalOutput[]): readonly string[] {
  return outputs.map((output) =>
    "bytes" in output
      ? `${output.output} ${JSON.stringify(Buffer.from(output.bytes).toString())}`
      : output.output,
  );
}

// The same, where one echo is written as two.
function glued(outputs: readonly TerminalOutput[]): string {
  const written = outputs.map((output) =>
    "bytes" in output
      ? `<${output.output}>${Buffer.from(output.bytes).toString("hex")}`
      : `<${output.output}>`,
  );
  return written.join("").replaceAll(/(?<=<echo>[0-9a-f]*)<echo>/gu, "");
}

test("a line is echoed as it is typed and delivered when it is complete", () => {
  expect(shown(type("ab"))).toEqual(['echo "ab"']);
  expect(shown(type("ab\r"))).toEqual(['echo "ab\\r\\n"', 'deliver "ab\\n"']);
});

test("a deletion takes a whole letter, and nothing where there is none", () => {
  expect(shown(type("aé\x7f\x7f\x7fb\n"))).toEqual([
    'echo "aé\\b \\b\\b \\bb\\r\\n"',
    'deliver "b\\n"',
  ]);
});

test("Ctrl-D delivers what there is, and is an end where there is nothing", () => {
  expect(shown(type("ab\u0004"))).toEqual(['echo "ab"', 'deliver "ab"']);
  expect(shown(type("\u0004"))).toEqual(["end"]);
});

test("Ctrl-C drops the line and interrupts", () => {
  expect(shown(type("ab\u0003c\r"))).toEqual([
    'echo "ab^C"',
    "interrupt",
    'echo "c\\r\\n"',
    'deliver "c\\n"',
  ]);
});

test("a line that is too long takes no more, and can still be completed", () => {
  const bytesMax = execBounds.terminalLineBytesMax;
  const outputs = type(`${"x".repeat(bytesMax + 10)}\r`);
  expect(outputs.at(-1)).toEqual({
    output: "deliver",
    bytes: Uint8Array.from(Buffer.from(`${"x".repeat(bytesMax)}\n`)),
  });
});

test("however typing is cut into pieces, it does the same", () => {
  const keys = fc.uint8Array({ maxLength: 64 });
  fc.assert(
    fc.property(keys, fc.nat(64), (bytes, cut) => {
      const whole = stepTerminal(IDLE_TERMINAL, bytes);
      const first = stepTerminal(IDLE_TERMINAL, bytes.subarray(0, cut));
      const second = stepTerminal(first.state, bytes.subarray(cut));
      expect(second.state).toEqual(whole.state);
      expect(glued([...first.outputs, ...second.outputs])).toBe(glued(whole.outputs));
    }),
  );
});

test("output goes back to the left at every newline", () => {
  expect(Buffer.from(cookOutput(Buffer.from("a\nb\r\n"))).toString()).toBe("a\r\nb\r\r\n");
  const plain = Buffer.from("abc");
  expect(cookOutput(plain)).toBe(plain);
});
