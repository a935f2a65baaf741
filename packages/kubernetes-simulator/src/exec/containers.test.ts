import { expect, test } from "vitest";

import { makeContainers } from "./containers.js";
import { execBounds } from "./exec-bounds.js";
import { makeContainer, resolvePath } from "./process/container.js";
import type { ExecPod } from "./session.js";

function pod(uid: string): ExecPod {
  return { namespace: "web", name: "p", uid, labels: {} };
}

test("the least recently used container is forgotten, with its files", () => {
  const containers = makeContainers([]);
  const first = containers.open(pod("0"), "c").container;
  const second = containers.open(pod("1"), "c").container;
  for (let uid = 2; uid < execBounds.containersMax; uid += 1) containers.open(pod(`${uid}`), "c");
  expect(containers.open(pod("0"), "c").container).toBe(first);
  containers.open(pod("one more"), "c");
  expect(containers.open(pod("0"), "c").container).toBe(first);
  expect(containers.open(pod("1"), "c").container).not.toBe(second);
});

test("a file system is full at its limits and not before", () => {
  const container = makeContainer({ hostname: "p", environment: new Map(), files: new Map() });
  const big = new Uint8Array(execBounds.fileBytesMax);
  expect(container.write("/tmp/a", big, false)).toBeUndefined();
  expect(container.write("/tmp/a", Uint8Array.of(1), true)).toBe("No space left on device");
  expect(container.read("/tmp/a").length).toBe(big.length);
  for (let file = 1; file < 7; file += 1) container.write(`/tmp/${file}`, big, false);
  expect(container.write("/tmp/last", big, false)).toBe("No space left on device");
  expect(container.write("/tmp/a", new Uint8Array(), false)).toBeUndefined();
  expect(container.write("/tmp/last", big, false)).toBeUndefined();
  let count = 0;
  while (container.write(`/tmp/small-${count}`, new Uint8Array(), false) === undefined) count += 1;
  expect(count).toBeLessThan(execBounds.filesMax);
});

test("a path is resolved as from where it is seen", () => {
  expect(resolvePath("/tmp", "a//b/./../c")).toBe("/tmp/a/c");
  expect(resolvePath("/tmp", "../../..")).toBe("/");
  expect(resolvePath("/", "/etc/passwd/")).toBe("/etc/passwd");
});
