import { hintBytesMax, utf8Bytes } from "@connectors/domain";
import { escapeLine } from "../output/escape.js";
import { shellLine } from "../output/shell-line.js";
import type { WriteFlags } from "../program/write-commands.js";
import type { OperationLine } from "./operation-line.js";

const placeholder = "prepared.json";

function lineOfPrepare({ operation, pairs, command, flags }: OperationLine<WriteFlags>): string {
  const { atCurrent, input, key, namespace, state } = flags;
  return shellLine([
    "connectors",
    "prepare",
    operation ?? "",
    ...pairs,
    ...(state === undefined ? [] : ["--state", state]),
    ...(atCurrent === true ? ["--at-current"] : []),
    ...(namespace === undefined ? [] : ["-n", namespace]),
    ...(input === undefined ? [] : ["--input", input]),
    ...(key === undefined ? [] : ["--key", key]),
    ...(command === null ? [] : ["--", ...command]),
  ]);
}

/** The commands that get this very write approved and sent; the shorter form where that is long or not plain. */
export function describeHowToApprove(line: OperationLine<WriteFlags>): string {
  const { prepared } = line.flags;
  const file = prepared ?? placeholder;
  const steps = [
    `connectors approve ${shellLine([file])}`,
    `connectors write --prepared ${shellLine([file])} --proof ${shellLine([`${file}.proof`])}`,
  ];
  if (prepared === undefined) steps.unshift(`${lineOfPrepare(line)} > ${placeholder}`);
  const whole = steps.map((step) => `\`${step}\``).join(", then ");
  // Written out for a terminal, a newline would be other words: those who paste them freeze others.
  const shownAsIs = escapeLine(whole) === whole;
  if (shownAsIs && utf8Bytes(whole) <= hintBytesMax) return `${whole}.`;
  return `The same with \`connectors prepare … > ${placeholder}\`, then \`connectors approve\` and \`write --prepared\`.`;
}
