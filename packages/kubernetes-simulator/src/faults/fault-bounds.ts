/** What a fault script holds at most. */
export const faultBounds = {
  /** Bytes of a script's text. */
  textBytesMax: 1_048_576,
  rulesMax: 1_000,
  /** Bytes of a pattern, a name or a header. */
  nameBytesMax: 4_096,
  /** Headers of a scripted answer. */
  headersMax: 64,
  /** Bytes of a scripted answer's body, and of one scripted message. */
  bodyBytesMax: 1_048_576,
  /** Acts of one exec fault. */
  actsMax: 1_000,
  /** Bytes of one message of a flood: past what any client takes. */
  floodBytesMax: 33_554_432,
  /** Bytes of all messages of a flood: they wait in memory for a client that does not read. */
  floodTotalBytesMax: 134_217_728,
  /** Messages of a flood, or pings. */
  repeatsMax: 1_000_000,
  /** How often a rule strikes, and after how many requests or messages it begins. */
  countMax: 1_000_000_000,
  /** The longest delay, a day. */
  delayMsMax: 86_400_000,
  /** Elements of an argv, as a rule may name it. */
  argvMax: 1_000,
} as const;
