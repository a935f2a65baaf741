/**
 * What the simulator holds at most. Where the real server has a limit of its own the number is the
 * same; the rest keeps a test or a demo from eating its machine.
 */
export const simulatorBounds = {
  /** Bytes of a request's body; the real server's limit, one more is 413. */
  bodyBytesMax: 3_145_728,
  /** Bytes of a request's head; Go's default, one more is 431. */
  headerBytesMax: 1_048_576,
  /** How deep a body may be nested. */
  bodyDepthMax: 1_000,
  /** Operations of one JSON Patch; the real limit. */
  patchOperationsMax: 10_000,
  /** Elements of a list that a strategic merge patch merges. */
  mergedListMax: 5_000,
  /** Connections at once; more are closed as they come. */
  connectionsMax: 2_048,
  /** Watches at once; more are answered 429. */
  watchersMax: 1_024,
  /** Bytes that wait for a watcher that reads slowly; one that lags further is ended. */
  watchBacklogBytesMax: 16_777_216,
  /** Objects of all kinds; a create beyond it is 507, as for a store that is full. */
  objectsMax: 20_000,
  /** Bytes of one stored object; etcd's default, one more is its error. */
  objectBytesMax: 1_572_864,
  /** Revisions that are kept for watches, continued lists and `history`; at most twice as many. */
  revisionsMax: 50_000,
  /** Bytes of all kept revisions; beyond it the older half is forgotten. */
  revisionBytesMax: 268_435_456,
  /** Records in the request log; beyond it the older half is dropped. */
  requestRecordsMax: 20_000,
  /** Letters of all records, bodies and heads included; beyond it the older half is dropped. */
  requestRecordLettersMax: 67_108_864,
  /** Users that can be added. */
  usersMax: 256,
  /** Admission hooks at once. */
  admissionHooksMax: 64,
  /** Replicas that the controller makes of one workload. */
  replicasMax: 500,
  /** How long a read waits for a version that is not there yet, as in the real server. */
  freshnessWaitMs: 3_000,
  /** How often a watch that allows bookmarks gets one. */
  bookmarkEveryMs: 60_000,
  /** A watch without a timeout of its own ends after this. */
  watchTimeoutMs: 1_800_000,
} as const;
