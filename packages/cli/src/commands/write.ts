import { preparedFileBytesMax, proofBytesMax, type WriteAnswer } from "@connectors/domain";
import type { FrozenWrite, Host } from "@connectors/runtime";
import { fail, succeed, type Outcome, type Proof } from "@connectors/sdk";
import { parseOperationPath } from "../composition/operation-name.js";
import { withHost, type OpenedHost } from "../composition/open-host.js";
import { exitCodeOf, exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { printAnswer } from "../output/print-answer.js";
import { printFailure } from "../output/print-failure.js";
import { styleOf } from "../output/style.js";
import type { WriteFlags } from "../program/write-commands.js";
import { hasTerminal } from "../terminal/question.js";
import { makeTerminalApprover } from "../terminal/terminal-approver.js";
import { interruptible, type Interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { listActiveKids } from "./active-kids.js";
import { describeDone } from "./describe-done.js";
import { describeTarget, freezeLine } from "./freeze-line.js";
import { readFrozenInput } from "./frozen-input.js";
import { readPreparedAdapter } from "./prepared-adapter.js";
import type { OperationLine } from "./read.js";

type WriteLine = OperationLine<WriteFlags>;

function findUsage(world: World, { operation, pairs, flags }: WriteLine): Outcome<void> {
  if (flags.prepared !== undefined) {
    const beside = operation !== undefined || pairs.length > 0 || world.command !== null;
    const more = flags.input ?? flags.key ?? flags.namespace;
    if (beside || more !== undefined || flags.atCurrent === true) {
      return fail("invalid_input", "--prepared brings the operation, its input and its key", {
        hint: "Leave everything else out, or leave --prepared out.",
      });
    }
    return succeed(undefined);
  }
  if (flags.proof !== undefined) {
    return fail("invalid_input", "--proof approves the bytes of a prepared file", {
      hint: "Name it too: --prepared FILE --proof FILE.",
    });
  }
  const path = parseOperationPath(operation);
  return path.ok ? succeed(undefined) : path;
}

async function readPrepared(path: string): Promise<Outcome<Uint8Array>> {
  return readBoundedFile(path, preparedFileBytesMax, "the prepared file");
}

async function readProof(path: string): Promise<Outcome<Proof>> {
  const bytes = await readBoundedFile(path, proofBytesMax + 1, "the proof file");
  if (!bytes.ok) return bytes;
  return succeed({ jws: new TextDecoder().decode(bytes.value).replace(/\n$/, "") });
}

/** The proof that the commit is tried with: a file's, or one that a person gives now. */
async function obtainProof(
  world: World,
  opened: OpenedHost,
  frozen: FrozenWrite,
  context: { readonly flags: WriteFlags; readonly signal: AbortSignal },
): Promise<Outcome<Proof | null>> {
  const { flags, signal } = context;
  if (flags.proof !== undefined) return readProof(flags.proof);
  if (frozen.declaration.approval === "not_required" || !hasTerminal(world)) return succeed(null);
  const active = await listActiveKids(opened.host);
  if (!active.ok) return active;
  const approver = await makeTerminalApprover(world, {
    directory: opened.directory,
    active: active.value,
    acceptCluster: flags.acceptCluster === true,
    signal,
  });
  if (!approver.ok) return approver;
  return approver.value.approve({ file: frozen.preparedBytes }, { signal });
}

function tellSent(world: World, interrupt: Interruptible, host: Host): void {
  interrupt.onSignal(
    () => {
      const [flight] = host.inFlight();
      if (flight === undefined) return;
      const seconds = Math.ceil(flight.remainingMs / 1000);
      world.err(`\nsent, waiting ${seconds} s at most (again to leave with 3)\n`);
    },
    // The ledger says Dispatching; the next command that opens it closes that as unknown.
    () => process.exit(host.inFlight().length > 0 ? exitCodes.unknown : exitCodes.interrupted),
  );
}

function tellHowToApprove(world: World, frozen: FrozenWrite, flags: WriteFlags): void {
  if (flags.quiet === true) return;
  const style = styleOf(world);
  world.err(`${style.dim("subject sha256:")} ${frozen.subjectSha256}\n`);
  world.err(
    `${style.dim("to have it approved:")} connectors prepare … > prepared.json; connectors approve prepared.json; ` +
      "connectors write --prepared prepared.json --proof prepared.json.proof\n",
  );
}

async function commitFrozen(
  world: World,
  opened: OpenedHost,
  frozen: FrozenWrite,
  { flags, interrupt }: { readonly flags: WriteFlags; readonly interrupt: Interruptible },
): Promise<Outcome<WriteAnswer>> {
  // A known key answers before anybody is asked: a replay needs no terminal and no proof.
  const known = await frozen.observe();
  if (known !== null) return succeed(known);
  const { signal } = interrupt;
  const proof = await obtainProof(world, opened, frozen, { flags, signal });
  if (signal.aborted) {
    return fail("interrupted", "it was interrupted before anything was sent");
  }
  if (!proof.ok) return proof;
  if (proof.value === null) tellHowToApprove(world, frozen, flags);
  tellSent(world, interrupt, opened.host);
  return succeed(
    await frozen.commit({
      proof: proof.value,
      signal,
      ...(flags.deadline === undefined ? {} : { deadlineMs: flags.deadline }),
    }),
  );
}

async function freezeOrOpen(
  world: World,
  opened: OpenedHost,
  line: WriteLine,
  { prepared, signal }: { readonly prepared: Uint8Array | null; readonly signal: AbortSignal },
): Promise<Outcome<FrozenWrite>> {
  if (prepared !== null) return opened.host.openPrepared(prepared);
  const path = parseOperationPath(line.operation);
  if (!path.ok) return path;
  const { pairs, flags } = line;
  return freezeLine(world, opened.host, { path: path.value, pairs, flags, signal });
}

/** Freezes or opens a write, has it approved, commits it once, and says what is known. */
export async function runWrite(world: World, line: WriteLine): Promise<number> {
  const { flags } = line;
  const usage = findUsage(world, line);
  if (!usage.ok) {
    printFailure(world, usage.failure, flags.output);
    return exitCodes.usage;
  }
  const prepared =
    flags.prepared === undefined ? succeed(null) : await readPrepared(flags.prepared);
  const adapter = prepared.ok ? readPreparedAdapter(prepared.value, line.operation) : prepared;
  if (!prepared.ok || !adapter.ok) {
    const failed = prepared.ok ? adapter : prepared;
    if (!failed.ok) printFailure(world, failed.failure, flags.output);
    return exitCodes.nothingDone;
  }
  return withHost(world, flags, { only: adapter.value }, async (opened) => {
    const interrupt = interruptible();
    const { signal } = interrupt;
    const frozen = await freezeOrOpen(world, opened, line, { prepared: prepared.value, signal });
    const answer = frozen.ok
      ? await commitFrozen(world, opened, frozen.value, { flags, interrupt })
      : frozen;
    if (!frozen.ok || !answer.ok) {
      const failed = frozen.ok ? answer : frozen;
      if (failed.ok) return exitCodes.nothingDone;
      printFailure(world, failed.failure, flags.output);
      return failed.failure.code === "interrupted" ? exitCodes.interrupted : exitCodes.nothingDone;
    }
    const { operation } = frozen.value.subject.target;
    const input = readFrozenInput(frozen.value);
    const what = describeTarget(operation, input);
    const done = describeDone(operation, input, answer.value);
    printAnswer(world, answer.value, { what, done, raw: flags.raw === true }, flags.output);
    return exitCodeOf(answer.value);
  });
}
