/** What an exec holds at most. */
export const execBounds = {
  /** Bytes of output in one message, the channel's byte not counted; a kubelet reads that much. */
  outputBytesMax: 32_768,
  /** Bytes of one message from a client; Go's WebSocket server refuses larger ones. */
  inputMessageBytesMax: 33_554_432,
  /** Bytes of stdin that wait for a program; beyond it the connection is not read. */
  stdinWaitingBytesMax: 1_048_576,
  /** Bytes that wait for a client that reads slowly; beyond it the program waits. */
  outputWaitingBytesMax: 262_144,
  /** What a pipe without a reader takes before its writer hangs. */
  pipeBytesMax: 65_536,
  /** Steps that one task makes before it lets the others, and the event loop, have a turn. */
  stepsPerTurnMax: 1_024,
  /** Background tasks that one command may have at once. */
  tasksMax: 64,
  /** Commands that run at once, those whose client has left included. */
  commandsMax: 1_024,
  /** Commands in the log; older ones are dropped and counted. */
  commandRecordsMax: 10_000,
  /** Containers whose files are kept; the least recently used is forgotten. */
  containersMax: 1_000,
  /** Files of one container, those it was given included. */
  filesMax: 256,
  /** Bytes of one file. */
  fileBytesMax: 1_048_576,
  /** Bytes of all files of one container. */
  filesBytesMax: 8_388_608,
  /** How deep `(…)`, `{…}` and `sh -c` may be nested. */
  shellDepthMax: 32,
  /** Bytes of a line that a terminal collects before it gives it up. */
  terminalLineBytesMax: 4_096,
  /** Scripts of one seed, commands of one script, frames of one command. */
  scriptsMax: 1_000,
  scriptCommandsMax: 1_000,
  scriptFramesMax: 10_000,
  /** Bytes of one scripted frame, status or argument. */
  scriptFrameBytesMax: 1_048_576,
  /** Bytes of a name or a value in a script. */
  scriptNameBytesMax: 4_096,
  /** Arguments of one scripted command. */
  scriptArgvMax: 1_000,
  /** The longest that a script waits, a day. */
  scriptDelayMsMax: 86_400_000,
  /** How long the processes of a Pod outlive its object when it is removed without grace. */
  podDeletedKillMs: 2_000,
} as const;
