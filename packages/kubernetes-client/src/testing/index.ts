export { fileTargets, type FileTarget } from "./file-targets.js";
export { fixtureCertificates, type FixturePair } from "./fixture-certificates.js";
export { parserTargets, type ParserTarget } from "./parser-targets.js";
