import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emitAll } from "../build.js";
import { generatedNames } from "../check/check-names.js";
import { ownFolders, planEmitters } from "../plan/plan.js";
import { ferryIr, ferrySources } from "../testing/ferry.js";
import { fixturePath, goldenText } from "../testing/golden.js";
import { emitTypescript } from "./typescript/emit-typescript.js";

const ir = ferryIr();
const emitted = [...emitAll(ir)];

describe("the emitters", () => {
  test.each(emitted)("make exactly the golden text of %s", (path, text) => {
    expect(goldenText(fixturePath("golden", `${path}.golden`), text)).toBe(text);
  });

  test("make every golden file and no other", () => {
    const golden = readdirSync(fixturePath("golden"), { recursive: true, encoding: "utf8" });
    const paths = golden.filter((path) => path.endsWith(".golden")).toSorted();
    expect(paths).toEqual(emitted.map(([path]) => `${path}.golden`).toSorted());
  });

  test("make the same bytes whatever order the files and the roster come in", () => {
    const shuffled = ferrySources().toReversed();
    expect([...emitAll(ferryIr(shuffled))]).toEqual(emitted);
  });

  test("are joined by those that a caller adds", () => {
    const names = { name: "names", emit: () => new Map([["names.txt", "ferry\n"]]) };
    const files = emitAll(ir, planEmitters(ownFolders, [names]));
    expect(files.get("names.txt")).toBe("ferry\n");
    expect(files.size).toBe(emitted.length + 1);
  });

  test("refuse to write one path twice", () => {
    const twin = { name: "twin", emit: emitTypescript };
    expect(() => emitAll(ir, planEmitters(ownFolders, [twin]))).toThrow(/two emitters write/);
  });

  test("offer exactly the names that the check of names knows of", () => {
    const index = emitAll(ir).get("packages/domain/src/gen/index.ts") ?? "";
    const blocks = [...index.matchAll(/export \{([^}]*)\} from "\.\/([^"]*)"/g)];
    const offered = blocks
      .filter(([, , module]) => module !== "operation-declarations.js")
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim()))
      .filter((name) => name !== "");
    const known = ir.domains.flatMap(generatedNames).map(({ name }) => name);
    expect(offered.toSorted()).toEqual(known.toSorted());
  });
});
