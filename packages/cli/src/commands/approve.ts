import { basename, dirname, resolve } from "node:path";
import { preparedFileBytesMax } from "@connectors/domain";
import { fail, type Outcome, type Proof } from "@connectors/sdk";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { printFailure } from "../output/print-failure.js";
import type { ApproveFlags } from "../program/approval-commands.js";
import { createPrivateFile } from "../state/state-directory.js";
import { hasTerminal } from "../terminal/question.js";
import { makeTerminalApprover } from "../terminal/terminal-approver.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { listActiveKids } from "./active-kids.js";

async function saveProof(path: string, proof: Proof): Promise<Outcome<void>> {
  const full = resolve(path);
  const bytes = new TextEncoder().encode(`${proof.jws}\n`);
  const made = await createPrivateFile(dirname(full), basename(full), bytes);
  if (!made.ok) return made;
  return made.value === "made"
    ? { ok: true, value: undefined }
    : fail("lifecycle_conflict", "the proof file is there already", {
        hint: "A proof is never overwritten: name another with --proof-out.",
      });
}

/** Shows what a prepared file would do, asks on the terminal, and writes the signed proof. */
export async function runApprove(
  world: World,
  prepared: string,
  flags: ApproveFlags,
): Promise<number> {
  const end = (failed: Outcome<unknown>): number => {
    if (!failed.ok) printFailure(world, failed.failure, flags.output);
    return !failed.ok && failed.failure.code === "interrupted"
      ? exitCodes.interrupted
      : exitCodes.nothingDone;
  };
  const file = await readBoundedFile(prepared, preparedFileBytesMax, "the prepared file");
  if (!file.ok) return end(file);
  if (!hasTerminal(world)) {
    return end(
      fail("approval_required", "an approval needs a terminal to be shown on", {
        hint: "Run this where a person can read it and type the answer; there is no --yes.",
      }),
    );
  }
  return withHost(world, flags, "none", async ({ host, directory }) => {
    const { signal } = interruptible();
    const active = await listActiveKids(host);
    if (!active.ok) return end(active);
    const approver = await makeTerminalApprover(world, {
      directory,
      active: active.value,
      acceptCluster: flags.acceptCluster === true,
      signal,
    });
    if (!approver.ok) return end(approver);
    const proof = await approver.value.approve({ file: file.value }, { signal });
    if (!proof.ok) return end(proof);
    const path = flags.proofOut ?? `${prepared}.proof`;
    const saved = await saveProof(path, proof.value);
    if (!saved.ok) return end(saved);
    if (flags.output === "text") world.out(`${path}\n`);
    else world.out(`${JSON.stringify({ proof: path })}\n`);
    if (flags.quiet !== true) {
      world.err(`approved; next: connectors write --prepared ${prepared} --proof ${path}\n`);
    }
    return exitCodes.ok;
  });
}
