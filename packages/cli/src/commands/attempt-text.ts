import type { Attempt, OperationDeclaration } from "@connectors/domain";
import type { AttemptExplanation, AttemptRecord } from "@connectors/runtime";
import { readInputFields } from "../input/input-schema.js";
import { escapeLine } from "../output/escape.js";
import { formatRecord } from "../output/record.js";

function time(ms: number | null): string {
  return ms === null ? "-" : new Date(ms).toISOString();
}

/** What the columns of {@link attemptRow} are. */
export const attemptHeadings: readonly string[] = [
  "ATTEMPT",
  "STATE",
  "OPERATION",
  "CREATED",
  "CAUSE",
];

/** An attempt in one line. */
export function attemptRow(attempt: Attempt): readonly string[] {
  const cause = attempt.outcome?.cause ?? null;
  return [
    attempt.id,
    attempt.state,
    `${attempt.instance}/${attempt.operation}`,
    time(attempt.created_at_ms),
    cause === null ? "" : `${cause.code} at ${cause.stage}`,
  ];
}

function formatNotes({ observations }: AttemptRecord): string {
  if (observations.length === 0) return "";
  const lines = observations.map(
    (note) => `  ${time(note.at_ms)} ${note.by}: ${escapeLine(note.text)}\n`,
  );
  return `evidence\n${lines.join("")}`;
}

/** Everything that the ledger has of an attempt. */
export function formatAttempt(record: AttemptRecord): string {
  const { created_at_ms, dispatched_at_ms, settled_at_ms, ...rest } = record.attempt;
  const times = {
    created_at: time(created_at_ms),
    dispatched_at: time(dispatched_at_ms),
    settled_at: time(settled_at_ms),
  };
  return formatRecord({ ...times, ...rest }) + formatNotes(record);
}

const meanings: Readonly<Record<AttemptExplanation["classification"], string>> = {
  not_attempted:
    "The gate never opened: nothing was sent, and nothing ever will be for this attempt.",
  refused: "It is proved that nothing happened.",
  applied: "It happened as declared.",
  unknown: "Nobody knows whether it happened. It is never sent again; look before you act.",
};

/** A read with every field that it needs, to be filled in: the ledger keeps digests, not input. */
function readLine(path: string, declarations: ReadonlyMap<string, OperationDeclaration>): string {
  const declaration = declarations.get(path);
  const fields = declaration === undefined ? [] : readInputFields(declaration.input_schema);
  const needed = fields.filter(({ required }) => required);
  const pairs = needed.map(({ name }) => `${name}=${name.toUpperCase()}`);
  return ["connectors read", path, ...pairs].join(" ");
}

function listLooks(
  { attempt, reads, auditId }: AttemptExplanation,
  declarations: ReadonlyMap<string, OperationDeclaration>,
): readonly string[] {
  const looks = reads.map((read) => readLine(read, declarations));
  if (auditId === null) {
    return [
      ...looks,
      "nothing was sent yet: whoever prepared it may still be at work; `connectors doctor` says whether it lives",
    ];
  }
  return [
    ...looks,
    `the API server's audit log, for Audit-ID ${auditId}: an entry means that it arrived, and how it ended`,
    `connectors attempts annotate ${attempt.id} "what you found"`,
  ];
}

/** What is known of an attempt, since when, and where to look when that is nothing. */
export function formatExplanation(
  found: AttemptExplanation,
  declarations: ReadonlyMap<string, OperationDeclaration>,
): string {
  const { attempt, classification, auditId } = found;
  const cause = attempt.outcome?.cause ?? null;
  const lines = [
    `${classification}: ${attempt.instance}/${attempt.operation} (${attempt.state})`,
    meanings[classification],
    `  prepared  ${time(attempt.created_at_ms)}`,
    `  sent      ${attempt.dispatched_at_ms === null ? "never" : time(attempt.dispatched_at_ms)}`,
    `  closed    ${attempt.settled_at_ms === null ? "not yet" : time(attempt.settled_at_ms)}`,
    ...(cause === null ? [] : [`  because   ${cause.code} at ${cause.stage}`]),
    ...(attempt.approver === null ? [] : [`  approved  by ${attempt.approver}`]),
  ];
  if (classification === "unknown") {
    const looks = listLooks(found, declarations);
    lines.push("", "What to look at:", ...looks.map((look, at) => `  ${at + 1}  ${look}`));
    lines.push("To do it again, once you know: a new freeze and a new approval.");
  } else if (auditId !== null) {
    lines.push(`The API server's audit log has it as Audit-ID ${auditId}.`);
  }
  return lines.map((line) => `${line}\n`).join("") + formatNotes(found);
}
