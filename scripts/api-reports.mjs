// Writes or checks etc/NAME.api.md of each package entry, so that a change of surface is a diff.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root, say } from "./setup.mjs";

const { Extractor, ExtractorConfig } = createRequire(import.meta.url)("@microsoft/api-extractor");
const check = process.argv.includes("--check");
let failed = false;

function entries(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target === "object")
    .map(([subpath, target]) => ({
      name: [manifest.name.split("/")[1], ...subpath.split("/").slice(1)].join("-"),
      types: join(folder, target.types),
      package: join(folder, "package.json"),
    }));
}

for (const name of readdirSync(join(root, "packages"))) {
  const folder = join(root, "packages", name);
  if (!existsSync(join(folder, "package.json"))) continue;
  mkdirSync(join(folder, "etc"), { recursive: true });
  for (const entry of entries(folder)) {
    const config = ExtractorConfig.prepare({
      configObject: {
        projectFolder: folder,
        mainEntryPointFilePath: entry.types,
        compiler: {
          overrideTsconfig: {
            compilerOptions: {
              module: "nodenext",
              target: "es2022",
              lib: ["es2023", "esnext.disposable"],
              skipLibCheck: true,
              types: ["node"],
            },
            files: [entry.types],
          },
        },
        apiReport: {
          enabled: true,
          reportFileName: `${entry.name}.api.md`,
          reportFolder: join(folder, "etc"),
          reportTempFolder: join(folder, "dist", ".api"),
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        newlineKind: "lf",
        messages: {
          compilerMessageReporting: { default: { logLevel: "none" } },
          extractorMessageReporting: { default: { logLevel: "none" } },
          tsdocMessageReporting: { default: { logLevel: "none" } },
        },
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: entry.package,
    });
    const result = Extractor.invoke(config, {
      localBuild: !check,
      showVerboseMessages: false,
      messageCallback: (m) => (m.handled = true),
    });
    if (check && result.apiReportChanged) {
      failed = true;
      say(
        `${entry.name}: its surface differs from etc/${entry.name}.api.md; run \`node scripts/api-reports.mjs\` and review the diff.`,
      );
    }
  }
}
process.exitCode = failed ? 1 : 0;
