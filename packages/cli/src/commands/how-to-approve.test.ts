import { expect, test } from "vitest";
import { describeHowToApprove } from "./how-to-approve.js";

const flags = { output: "text" } as const;

function hintOf(command: readonly string[]): string {
  return describeHowToApprove({ operation: "dev/pods.exec", pairs: [], command, flags });
}

test("the hint holds the very words, or none of them where a terminal would show others", () => {
  expect(hintOf(["sh", "-c", "echo a; echo b"])).toContain("'echo a; echo b'");
  const short = hintOf(["sh", "-c", "echo a\necho b"]);
  expect(short).not.toContain("echo");
  expect(short).toContain("connectors prepare");
});
