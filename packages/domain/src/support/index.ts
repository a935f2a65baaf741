export { type Brand, type brand } from "./brand.js";
export { canonicalJson } from "./canonical-json.js";
export { type JsonValue, jsonDepthMax, trusted } from "./json-value.js";
export { areDistinct, areSorted, totalBytes } from "./list-rules.js";
export { type Issue, type Parsed, issuesMax } from "./parsed.js";
export {
  decodedBytes,
  readBoolean,
  readBytes,
  readDuration,
  readInt64,
  readInteger,
  readJson,
  readString,
  readTimestamp,
  readUuid,
} from "./read-scalar.js";
export {
  type ItemBounds,
  type Members,
  readList,
  readMap,
  readMembers,
  readNullable,
  readOmittable,
  readRequired,
  readTag,
  within,
} from "./read-structure.js";
export {
  type Invalid,
  type Reader,
  type Reading,
  invalid,
  isFull,
  parseWith,
  refuse,
} from "./reading.js";
export { compares, countOf } from "./rules.js";
export type { DecisionMatrix, DecisionTableRow, Lifecycle } from "./tables.js";
export { codePoints, isWellFormed, utf8Bytes } from "./text-size.js";
