import { describe, expect, test } from "vitest";
import { importsOf, readSources, type SourceFile } from "./sources.js";

// An arrow means "may import"; everything absent is forbidden. `kubernetes-client/request` is an
// entry of its own: it is pure, and the adapter may import nothing else of that package.
const arrows: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ess: [],
  sdk: ["domain"],
  runtime: ["domain", "sdk"],
  "store-sqlite": ["domain", "sdk", "runtime"],
  transport: ["domain", "sdk"],
  kubernetes: ["domain", "sdk", "kubernetes-client/request"],
  "kubernetes-client": ["domain", "sdk"],
  "kubernetes-simulator": ["domain", "sdk", "kubernetes-client/request"],
  cli: [
    "domain",
    "sdk",
    "runtime",
    "store-sqlite",
    "transport",
    "kubernetes",
    "kubernetes-client/request",
    "kubernetes-client/node",
    "kubernetes-simulator",
  ],
};

// Each third-party package has one home, and there one reason.
const homes: Readonly<Record<string, readonly string[]>> = {
  undici: ["transport"],
  ws: ["transport", "kubernetes-simulator"],
  "@peculiar/x509": ["kubernetes-simulator"],
  "reflect-metadata": ["kubernetes-simulator"],
  "better-sqlite3": ["store-sqlite"],
  commander: ["cli"],
  "@bomb.sh/tab": ["cli"],
  yaml: ["ess", "cli", "kubernetes-client"],
};

const sources = readSources(["packages"]);
const product = sources.filter((f) => !f.test && !f.path.includes("/src/testing/"));

function imported(file: SourceFile): readonly string[] {
  return importsOf(file).filter((name) => name !== "");
}

function ours(name: string): string | undefined {
  const match = /^@connectors\/([^/]+)(\/.*)?$/.exec(name);
  if (!match) return undefined;
  const [, folder = "", subpath = ""] = match;
  return folder === "kubernetes-client" ? `${folder}${subpath}` : folder;
}

function allowed(file: SourceFile, target: string): boolean {
  // `./node` alone may reach the transport.
  if (target === "transport" && file.path.startsWith("packages/kubernetes-client/src/node/")) {
    return true;
  }
  return (arrows[file.home] ?? []).includes(target);
}

describe("arrows", () => {
  test("every package has its arrows written down", () => {
    expect([...new Set(sources.map((f) => f.home))].filter((home) => !(home in arrows))).toEqual(
      [],
    );
  });

  test("no package imports another that its arrows do not name", () => {
    const broken = product.flatMap((file) =>
      imported(file)
        .map(ours)
        .filter((target) => target !== undefined)
        .filter((target) => !allowed(file, target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("every third-party import stands in its home", () => {
    const broken = product.flatMap((file) =>
      imported(file)
        .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
        .filter((name) => !name.startsWith("@connectors/"))
        .map((name) =>
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
        )
        .filter((name) => !(homes[name] ?? []).includes(file.home))
        .map((name) => `${file.path} imports ${name}`),
    );
    expect(broken).toEqual([]);
  });

  test("a package's source never imports its testing entry", () => {
    const broken = product
      .filter((file) => imported(file).some((name) => /^\.{1,2}\/(.*\/)?testing\//.test(name)))
      .map((file) => file.path);
    expect(broken).toEqual([]);
  });

  test("kubernetes-client's request entry stays pure", () => {
    const broken = product
      .filter((file) => file.path.startsWith("packages/kubernetes-client/src/request/"))
      .flatMap((file) =>
        imported(file)
          .filter((name) => name.startsWith("node:") || name.includes("../node/"))
          .map((name) => `${file.path} imports ${name}`),
      );
    expect(broken).toEqual([]);
  });
});
