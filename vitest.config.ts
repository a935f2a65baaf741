import { defineConfig } from "vitest/config";

const conditions = ["@connectors/source", "node", "import", "default"];

// Tests that change process state (signals, umask, environment, child processes) are named
// `*.isolated.test.ts` and get a process each; everything else shares threads.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A shared machine stalls now and then; a second failure of the same test is no stall.
    retry: process.env["CI"] === "true" ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          pool: "threads",
          isolate: false,
          include: ["packages/*/src/**/*.test.ts", "testing/**/*.test.ts", "examples/**/*.test.ts"],
          exclude: ["**/*.isolated.test.ts", "**/node_modules/**", "**/dist/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          pool: "forks",
          include: ["packages/*/src/**/*.isolated.test.ts", "testing/**/*.isolated.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
        },
      },
    ],
  },
});
