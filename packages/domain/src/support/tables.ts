/** States and the moves between them, as data. */
export interface Lifecycle<State extends string, Event extends string> {
  readonly initial: State;
  readonly terminal: readonly State[];
  /** For each state, where each event that is legal there leads. */
  readonly moves: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;
}

/** A row of a decision table, as data. */
export interface DecisionTableRow<Row extends string> {
  readonly id: Row;
  /** For each fact that the row names, the values it takes; facts not named may be anything. */
  readonly when: Readonly<Record<string, readonly (string | boolean)[]>>;
  /** The kind and the fields that it answers; `value.NAME` is carried from the observation. */
  readonly then: Readonly<Record<string, string | number | boolean | null>>;
  /** The test that proves the row, where the table asks for one. */
  readonly evidence: string | null;
}

/** What the rows of a decision table cover. */
export interface DecisionMatrix<Row extends string, Facts> {
  /** How many cases the facts make up. */
  readonly product: number;
  readonly rows: readonly {
    readonly row: Row;
    readonly count: number;
    /** The first case that the row answers. */
    readonly facts: Facts;
  }[];
}
