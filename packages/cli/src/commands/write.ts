import { preparedFileBytesMax, proofBytesMax, type WriteAnswer } from "@connectors/domain";
import { makeProofFileApprover, type FrozenWrite } from "@connectors/runtime";
import { fail, succeed, type Approver, type Outcome, type Proof } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import type { OpenedHost } from "../composition/open-host.js";
import { exitCodeOf } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { finish } from "../output/finish.js";
import { printAnswer } from "../output/print-answer.js";
import { withProgress } from "../output/progress.js";
import { styleOf } from "../output/style.js";
import type { WriteFlags } from "../program/write-commands.js";
import { hasTerminal } from "../terminal/question.js";
import { makeTerminalApprover } from "../terminal/terminal-approver.js";
import type { World } from "../world/world.js";
import { listActiveKids } from "./active-kids.js";
import { describeDone } from "./describe-done.js";
import { describeTarget } from "./describe-target.js";
import { freezeLine } from "./freeze-line.js";
import { readFrozenInput } from "./frozen-input.js";
import { describeHowToApprove } from "./how-to-approve.js";
import { readPath, type OperationLine } from "./operation-line.js";
import { readPreparedAdapter } from "./prepared-adapter.js";
import { checkWriteWords } from "./write-usage.js";

type WriteLine = OperationLine<WriteFlags>;

/** What is to be written: the bytes of a prepared file, or null for the command line's own words. */
interface WriteSource {
  readonly line: WriteLine;
  readonly prepared: Uint8Array | null;
  readonly adapter: string;
}

async function readSource(line: WriteLine): Promise<Outcome<WriteSource>> {
  const words = checkWriteWords(line);
  if (!words.ok) return words;
  const { prepared: path } = line.flags;
  if (path === undefined) {
    const named = readPath(line);
    return named.ok ? succeed({ line, prepared: null, adapter: named.value.path.adapter }) : named;
  }
  const prepared = await readBoundedFile(path, preparedFileBytesMax + 1, "the prepared file");
  if (!prepared.ok) return prepared;
  const adapter = readPreparedAdapter(prepared.value);
  return adapter.ok ? succeed({ line, prepared: prepared.value, adapter: adapter.value }) : adapter;
}

async function freezeSource(
  world: World,
  { host }: OpenedHost,
  { line, prepared }: WriteSource,
): Promise<Outcome<FrozenWrite>> {
  if (prepared !== null) return host.openPrepared(prepared);
  const named = readPath(line);
  return named.ok ? freezeLine(world, host, named.value) : named;
}

async function readProofFile(path: string): Promise<Outcome<Approver>> {
  const bytes = await readBoundedFile(path, proofBytesMax + 2, "the proof file");
  if (bytes.ok) return succeed(makeProofFileApprover(new TextDecoder().decode(bytes.value)));
  return bytes.failure.code === "not_found"
    ? fail("not_found", "the proof file is not there", {
        hint: "Have the prepared file approved first: `connectors approve PREPARED` writes it.",
      })
    : bytes;
}

/** Whoever approves it: a file that was signed before, a person now, or nobody (null). */
async function chooseApprover(
  world: World,
  { host, directory }: OpenedHost,
  frozen: FrozenWrite,
  flags: WriteFlags,
): Promise<Outcome<Approver | null>> {
  if (flags.proof !== undefined) return readProofFile(flags.proof);
  if (frozen.declaration.approval === "not_required" || !hasTerminal(world)) return succeed(null);
  const active = await listActiveKids(host);
  if (!active.ok) return active;
  return makeTerminalApprover(world, {
    directory,
    active: active.value,
    acceptCluster: flags.acceptCluster === true,
  });
}

async function obtainProof(
  world: World,
  opened: OpenedHost,
  frozen: FrozenWrite,
  flags: WriteFlags,
): Promise<Outcome<Proof | null>> {
  const approver = await chooseApprover(world, opened, frozen, flags);
  if (!approver.ok || approver.value === null) return approver.ok ? succeed(null) : approver;
  const { signal } = world.interrupt;
  return approver.value.approve({ file: frozen.preparedBytes }, { signal });
}

/** Nobody has approved it: the answer says how that is done with these very words. */
function withHowToApprove(answer: WriteAnswer, line: WriteLine): WriteAnswer {
  const { failure } = answer;
  if (failure?.code !== "approval_required") return answer;
  return { ...answer, failure: { ...failure, hint: describeHowToApprove(line) } };
}

async function commitFrozen(
  world: World,
  opened: OpenedHost,
  frozen: FrozenWrite,
  line: WriteLine,
): Promise<Outcome<WriteAnswer>> {
  const { flags } = line;
  const { signal } = world.interrupt;
  // A known key answers before anybody is asked: a replay needs no terminal and no proof.
  const known = await withProgress(world, flags, "waiting for whoever has this key", () =>
    frozen.observe({ signal }),
  );
  if (known !== null) return succeed(known);
  const proof = await obtainProof(world, opened, frozen, flags);
  if (signal.aborted) return fail("interrupted", "it was interrupted before anything was sent");
  if (!proof.ok) return proof;
  if (proof.value === null && flags.quiet !== true) {
    world.err(`${styleOf(world).dim("subject sha256:")} ${frozen.subjectSha256}\n`);
  }
  const { deadline } = flags;
  const { instance } = frozen.subject.target;
  const answer = await withProgress(world, flags, `waiting for ${instance}`, () =>
    frozen.commit({
      proof: proof.value,
      signal,
      ...(deadline === undefined ? {} : { deadlineMs: deadline }),
    }),
  );
  return succeed(withHowToApprove(answer, line));
}

/** Freezes or opens a write, has it approved, commits it once, and says what is known. */
export async function runWrite(world: World, line: WriteLine): Promise<number> {
  const { flags } = line;
  const source = await readSource(line);
  if (!source.ok) return finish(world, flags.output, source);
  return withHost(world, flags, { only: source.value.adapter }, async (opened) => {
    const frozen = await freezeSource(world, opened, source.value);
    if (!frozen.ok) return frozen;
    const answer = await commitFrozen(world, opened, frozen.value, line);
    if (!answer.ok) return answer;
    const { operation } = frozen.value.subject.target;
    const input = readFrozenInput(frozen.value);
    const what = describeTarget(operation, input);
    const done = describeDone(operation, input, answer.value);
    printAnswer(world, answer.value, { what, done, raw: flags.raw === true }, flags.output);
    return succeed(exitCodeOf(answer.value));
  });
}
