import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";
import { askLine, hasTerminal } from "./question.js";

const charactersMin = 8;

/** A new passphrase, typed twice on the terminal. */
export async function askNewPassphrase(world: World): Promise<Outcome<string>> {
  if (!hasTerminal(world)) {
    return fail("invalid_input", "--passphrase needs a terminal to ask on", {
      hint: "Leave it out, or run this on a terminal.",
    });
  }
  const { signal } = new AbortController();
  const first = await askLine(world, "New passphrase: ", { signal, hidden: true });
  if (first.kind === "gone") return fail("interrupted", "no passphrase was given");
  if (Array.from(first.text).length < charactersMin) {
    return fail("invalid_input", `a passphrase has at least ${charactersMin} characters`);
  }
  const second = await askLine(world, "Again: ", { signal, hidden: true });
  if (second.kind === "gone") return fail("interrupted", "no passphrase was given");
  return first.text === second.text
    ? succeed(first.text)
    : fail("invalid_input", "the two passphrases differ");
}
