import {
  encodeCanonicalPreparedFile,
  encodeCanonicalProvider,
  encodeCanonicalSubject,
  jsonDepthMax,
  parsePreparedFile,
  preparedFileBytesMax,
  type IdempotencyKey,
  type PreparedFile,
  type Subject,
} from "@connectors/domain";
import { encodeCanonical, fail, parseJson, succeed, type Outcome } from "@connectors/sdk";
import { describeIssues } from "../failure/issues-text.js";
import { digestOf } from "../journal/measure.js";
import { readInput } from "./input-bytes.js";

const newline = 0x0a;

/** The bytes of a prepared file: canonical JSON and one newline. */
export function encodePrepared(frozen: {
  readonly subject: Subject;
  readonly inputText: string;
  readonly key: IdempotencyKey | null;
}): Uint8Array {
  const text = encodeCanonicalPreparedFile({
    format: "connectors.prepared/1",
    subject: frozen.subject,
    subject_sha256: digestOf(encodeCanonicalSubject(frozen.subject)),
    input: readInput(frozen.inputText),
    key: frozen.key,
  });
  return new TextEncoder().encode(`${text}\n`);
}

/**
 * The prepared file that the bytes are, with every digest of it recomputed.
 *
 * Encoding it again gives the same bytes, so there is one file for one frozen write: any changed
 * byte is `invalid_input`.
 */
export function decodePrepared(bytes: Uint8Array): Outcome<PreparedFile> {
  if (bytes.byteLength > preparedFileBytesMax + 1) {
    return fail("invalid_input", `A prepared file is at most ${preparedFileBytesMax} bytes.`);
  }
  if (bytes.at(-1) !== newline) return fail("invalid_input", "A prepared file ends in a newline.");
  const bounds = { bytesMax: preparedFileBytesMax, depthMax: jsonDepthMax };
  const json = parseJson(bytes.subarray(0, -1), bounds);
  if (!json.ok) return fail("invalid_input", "The prepared file is not strict JSON.");
  const parsed = parsePreparedFile(json.value);
  if (!parsed.ok) {
    return fail("invalid_input", `The prepared file: ${describeIssues(parsed.issues)}`);
  }
  const file = parsed.value;
  const again = new TextEncoder().encode(`${encodeCanonicalPreparedFile(file)}\n`);
  if (Buffer.compare(again, bytes) !== 0) {
    return fail("invalid_input", "The prepared file was written by something else.");
  }
  const fault = findWrongDigest(file);
  return fault === undefined
    ? succeed(file)
    : fail("invalid_input", `The prepared file was changed: its ${fault} is another one.`);
}

function findWrongDigest({
  subject,
  subject_sha256,
  input,
  key,
}: PreparedFile): string | undefined {
  if (subject.input_sha256 !== digestOf(encodeCanonical(input))) return "input";
  if (subject.key_sha256 !== (key === null ? null : digestOf(key))) return "key";
  const provider = digestOf(encodeCanonicalProvider(subject.target.provider));
  if (subject.target.connection_revision !== provider) return "provider";
  return subject_sha256 === digestOf(encodeCanonicalSubject(subject)) ? undefined : "subject";
}
