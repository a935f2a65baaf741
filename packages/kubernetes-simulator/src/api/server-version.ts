import type { JsonObject } from "../json-value.js";

/** `/version`: the release whose protocol is spoken; the build says that this is no real server. */
export const SERVER_VERSION: JsonObject = {
  major: "1",
  minor: "35",
  emulationMajor: "1",
  emulationMinor: "35",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "34",
  gitVersion: "v1.35.4+connectors.simulator",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "",
};
