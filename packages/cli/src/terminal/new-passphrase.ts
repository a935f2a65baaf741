import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";
import { askLine, hasTerminal, type Reply } from "./question.js";

const charactersMin = 8;

function toPassphrase(reply: Reply): Outcome<string> {
  switch (reply.kind) {
    case "line":
      return succeed(reply.text);
    case "interrupted":
      return fail("interrupted", "it was interrupted while it asked for a passphrase");
    case "gone":
      return fail("invalid_input", "no passphrase was given", {
        hint: "Run it again, or leave --passphrase out.",
      });
  }
}

/** A new passphrase, typed twice on the terminal. */
export async function askNewPassphrase(world: World): Promise<Outcome<string>> {
  if (!hasTerminal(world)) {
    return fail("invalid_input", "--passphrase needs a terminal to ask on", {
      hint: "Leave it out, or run this on a terminal.",
    });
  }
  const { signal } = world.interrupt;
  const first = toPassphrase(await askLine(world, "New passphrase: ", { signal, hidden: true }));
  if (!first.ok) return first;
  if (Array.from(first.value).length < charactersMin) {
    return fail("invalid_input", `a passphrase has at least ${charactersMin} characters`);
  }
  const second = toPassphrase(await askLine(world, "Again: ", { signal, hidden: true }));
  if (!second.ok) return second;
  return first.value === second.value
    ? first
    : fail("invalid_input", "the two passphrases differ", { hint: "Run it again." });
}
