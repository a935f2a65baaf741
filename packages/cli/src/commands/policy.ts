import { policyBytesMax, preparedFileBytesMax } from "@connectors/domain";
import type { PolicyTest } from "@connectors/runtime";
import { succeed } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { readBoundedFile } from "../input/read-bytes.js";
import { escapeJson } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";
import { readPreparedAdapter } from "./prepared-adapter.js";

/** Prints the policy in force, as `policy set` takes it. */
export function runPolicyShow(world: World, flags: CommonFlags): Promise<number> {
  return withHost(world, flags, "none", async ({ host }) => {
    const shown = await host.policy.show();
    if (!shown.ok) return shown;
    if (flags.output !== "text") {
      const { document, revision, sha256 } = shown.value ?? {};
      printJson(world, shown.value === null ? null : { revision, sha256, document });
      return succeed(exitCodes.ok);
    }
    if (shown.value === null) {
      world.err("there is no policy: every write is denied\n");
      return succeed(exitCodes.ok);
    }
    const { document, revision, sha256 } = shown.value;
    const text = JSON.stringify(document, null, 2);
    // Lines are the document's own; what stands in its strings is written out on a terminal.
    const shownText = world.outIsTerminal ? text.split("\n").map(escapeJson).join("\n") : text;
    world.out(`${shownText}\n`);
    if (flags.quiet !== true) world.err(`revision ${revision}, sha256 ${sha256}\n`);
    return succeed(exitCodes.ok);
  });
}

/** Replaces the policy; every unspent approval is void from then on. */
export async function runPolicySet(
  world: World,
  path: string,
  flags: CommonFlags,
): Promise<number> {
  const bytes = await readBoundedFile(path, policyBytesMax, "the policy file");
  if (!bytes.ok) return finish(world, flags.output, bytes);
  return withHost(world, flags, { only: null }, async ({ host }) => {
    const set = await host.policy.set(bytes.value);
    if (!set.ok) return set;
    const { revision, sha256 } = set.value;
    if (flags.output === "text") world.out(`policy revision ${revision}, sha256 ${sha256}\n`);
    else printJson(world, { revision, sha256 });
    return succeed(exitCodes.ok);
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
  const bytes = await readBoundedFile(path, preparedFileBytesMax + 1, "the prepared file");
  if (!bytes.ok) return finish(world, flags.output, bytes);
  const adapter = readPreparedAdapter(bytes.value);
  if (!adapter.ok) return finish(world, flags.output, adapter);
  return withHost(world, flags, { only: adapter.value }, async ({ host }) => {
    const tested = await host.policy.test(bytes.value);
    if (!tested.ok) return tested;
    if (flags.output === "text") world.out(describe(tested.value));
    else printJson(world, tested.value);
    const { allowed } = tested.value.explanation;
    return succeed(allowed ? exitCodes.ok : exitCodes.nothingDone);
  });
}
