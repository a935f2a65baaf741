#!/usr/bin/env node
// The bundle starts in the time of one file; without it (a package built by tsc alone) the same
// program runs from its modules.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundle = new URL("../bundle/main.js", import.meta.url);
const modules = new URL("../dist/main.js", import.meta.url);
const { main } = await import(existsSync(fileURLToPath(bundle)) ? bundle.href : modules.href);
await main(process.argv.slice(2));
