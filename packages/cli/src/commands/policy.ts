import { policyBytesMax, preparedFileBytesMax } from "@connectors/domain";
import type { PolicyTest } from "@connectors/runtime";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { printFailure } from "../output/print-failure.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";
import { readPreparedAdapter } from "./prepared-adapter.js";

/** Prints the policy in force, as `policy set` takes it. */
export async function runPolicyShow(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const shown = await host.policy.show();
    if (!shown.ok) {
      printFailure(world, shown.failure, flags.output);
      return exitCodes.nothingDone;
    }
    if (shown.value === null) {
      if (flags.output === "text") world.err("there is no policy: every write is denied\n");
      else world.out("null\n");
      return exitCodes.ok;
    }
    const { document, revision, sha256 } = shown.value;
    if (flags.output !== "text") {
      world.out(`${JSON.stringify({ revision, sha256, document })}\n`);
      return exitCodes.ok;
    }
    world.out(`${JSON.stringify(document, null, 2)}\n`);
    if (flags.quiet !== true) world.err(`revision ${revision}, sha256 ${sha256}\n`);
    return exitCodes.ok;
  });
}

/** Replaces the policy; every unspent approval is void from then on. */
export async function runPolicySet(
  world: World,
  path: string,
  flags: CommonFlags,
): Promise<number> {
  const bytes = await readBoundedFile(path, policyBytesMax, "the policy file");
  if (!bytes.ok) {
    printFailure(world, bytes.failure, flags.output);
    return exitCodes.nothingDone;
  }
  return withHost(world, flags, { only: null }, async ({ host }) => {
    const set = await host.policy.set(bytes.value);
    if (!set.ok) {
      printFailure(world, set.failure, flags.output);
      return exitCodes.nothingDone;
    }
    const { revision, sha256 } = set.value;
    world.out(
      flags.output === "text"
        ? `policy revision ${revision}, sha256 ${sha256}\n`
        : `${JSON.stringify({ revision, sha256 })}\n`,
    );
    return exitCodes.ok;
  });
}

function describe({ explanation, current }: PolicyTest): string {
  const lines = explanation.rules.map(({ index, unmatched }) =>
    unmatched.length === 0
      ? `rule ${index}: allows it`
      : `rule ${index}: does not match in ${unmatched.join(", ")}`,
  );
  const verdict = explanation.allowed ? "allowed" : "denied";
  const stale = current ? [] : ["It was frozen under another policy: prepare it again."];
  return [verdict, ...lines, ...stale].map((line) => `${line}\n`).join("");
}

/** Says which rule allows a prepared write, or what each rule misses. */
export async function runPolicyTest(
  world: World,
  path: string,
  flags: CommonFlags,
): Promise<number> {
  const bytes = await readBoundedFile(path, preparedFileBytesMax, "the prepared file");
  const adapter = bytes.ok ? readPreparedAdapter(bytes.value, undefined) : bytes;
  if (!bytes.ok || !adapter.ok) {
    const failed = bytes.ok ? adapter : bytes;
    if (!failed.ok) printFailure(world, failed.failure, flags.output);
    return exitCodes.nothingDone;
  }
  return withHost(world, flags, { only: adapter.value }, async ({ host }) => {
    const tested = await host.policy.test(bytes.value);
    if (!tested.ok) {
      printFailure(world, tested.failure, flags.output);
      return exitCodes.nothingDone;
    }
    world.out(
      flags.output === "text" ? describe(tested.value) : `${JSON.stringify(tested.value)}\n`,
    );
    return tested.value.explanation.allowed ? exitCodes.ok : exitCodes.nothingDone;
  });
}
