import { runCommand } from "./command/run-command.js";

process.exitCode = await runCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  nowMs: () => performance.now(),
});
