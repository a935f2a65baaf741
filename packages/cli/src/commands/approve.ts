import { lstat, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { preparedFileBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome, type Proof } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { escapeLine } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { shellWord } from "../output/shell-line.js";
import type { ApproveFlags } from "../program/approval-commands.js";
import { createPrivateFile } from "../state/private-file.js";
import { hasTerminal } from "../terminal/question.js";
import { makeTerminalApprover } from "../terminal/terminal-approver.js";
import type { World } from "../world/world.js";
import { listActiveKids } from "./active-kids.js";

const taken = fail("lifecycle_conflict", "the proof file is there already", {
  hint: "A proof is never overwritten. If it belongs to an earlier prepared file, remove it; or name another with --proof-out.",
});

/** Whether the proof could be written; asked before a person is. */
async function checkProofPath(path: string): Promise<Outcome<void>> {
  const full = resolve(path);
  if ((await stat(dirname(full)).catch(() => null))?.isDirectory() !== true) {
    return fail("not_found", "the proof's folder is not there", {
      hint: "Make it, or name another file with --proof-out.",
    });
  }
  return (await lstat(full).catch(() => null)) === null ? succeed(undefined) : taken;
}

async function saveProof(path: string, proof: Proof): Promise<Outcome<void>> {
  const full = resolve(path);
  const bytes = new TextEncoder().encode(`${proof.jws}\n`);
  const made = await createPrivateFile(dirname(full), basename(full), bytes);
  if (!made.ok) return made;
  return made.value === "made" ? succeed(undefined) : taken;
}

function tell(world: World, prepared: string, path: string, flags: ApproveFlags): void {
  if (flags.output === "text") {
    world.out(`${world.outIsTerminal ? escapeLine(path) : path}\n`);
  } else printJson(world, { proof: path });
  if (flags.quiet === true) return;
  const line = `connectors write --prepared ${shellWord(prepared)} --proof ${shellWord(path)}`;
  world.err(`approved; next: ${escapeLine(line)}\n`);
}

/** Shows what a prepared file would do, asks on the terminal, and writes the signed proof. */
export async function runApprove(
  world: World,
  prepared: string,
  flags: ApproveFlags,
): Promise<number> {
  const file = await readBoundedFile(prepared, preparedFileBytesMax + 1, "the prepared file");
  if (!file.ok) return finish(world, flags.output, file);
  if (!hasTerminal(world)) {
    return finish(
      world,
      flags.output,
      fail("approval_required", "an approval needs a terminal to be shown on", {
        hint: "Run this where a person can read it and type the answer; there is no --yes.",
      }),
    );
  }
  const path = flags.proofOut ?? `${prepared}.proof`;
  const free = await checkProofPath(path);
  if (!free.ok) return finish(world, flags.output, free);
  return withHost(world, flags, "none", async ({ host, directory }) => {
    const active = await listActiveKids(host);
    if (!active.ok) return active;
    const approver = await makeTerminalApprover(world, {
      directory,
      active: active.value,
      acceptCluster: flags.acceptCluster === true,
    });
    if (!approver.ok) return approver;
    const { signal } = world.interrupt;
    const proof = await approver.value.approve({ file: file.value }, { signal });
    if (!proof.ok) return proof;
    const saved = await saveProof(path, proof.value);
    if (!saved.ok) return saved;
    tell(world, prepared, path, flags);
    return succeed(exitCodes.ok);
  });
}
