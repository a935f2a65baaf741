// `npm run bench [-- NAME…]`: ours beside our peers', in one run on this machine. Not a test.
import { openCluster } from "./cluster.js";
import { benchExec } from "./exec-bench.js";
import { formatLine, type Line } from "./figures.js";
import { benchHttp } from "./http-bench.js";
import { benchJournal } from "./journal-bench.js";
import { benchRestart } from "./restart-bench.js";
import { benchStart } from "./start-bench.js";
import { benchWriteStart } from "./write-bench.js";

const cluster = await openCluster();
const benches: Readonly<Record<string, () => Promise<readonly Line[]>>> = {
  start: () => Promise.resolve(benchStart()),
  write: () => benchWriteStart(cluster),
  http: () => benchHttp(cluster),
  exec: () => benchExec(cluster),
  restart: () => benchRestart(cluster),
  journal: () => benchJournal(),
};
const chosen = process.argv.slice(2);
process.stdout.write(
  `node ${process.versions.node}; ratios, medians (smallest–largest, how many)\n\n`,
);
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    for (const line of await bench()) process.stdout.write(formatLine(line));
  }
} finally {
  cluster.close();
}
process.exit(0);
