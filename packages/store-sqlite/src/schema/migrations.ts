/** One step of the store's shape. Once released it never changes: a later one corrects it. */
export interface Migration {
  readonly ordinal: number;
  readonly sql: string;
}

// Every transaction that writes appends to the chain. So the newest record also carries what the
// ledger must know without counting: the clock's floor, and how many attempts and records there are.
//
// Bodies are JSON of the modelled shapes, validated when they are read. A column beside a body is
// there to be found by, and is compared with the body whenever the row is read.
const first = `
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY CHECK (sequence >= 0),
  sha256 TEXT NOT NULL,
  body TEXT NOT NULL,
  floor_ms INTEGER NOT NULL CHECK (floor_ms >= 0),
  attempt_count INTEGER NOT NULL CHECK (attempt_count >= 0),
  audit_count INTEGER NOT NULL CHECK (audit_count >= 1)
) STRICT;
CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;

CREATE TABLE owners (
  nonce TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX owners_by_state ON owners (state);

CREATE TABLE attempts (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES owners (nonce),
  state TEXT NOT NULL,
  settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
  operation TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX attempts_open ON attempts (owner) WHERE settled = 0;
CREATE TRIGGER attempts_are_not_deleted BEFORE DELETE ON attempts
  BEGIN SELECT RAISE(ABORT, 'attempts are kept'); END;
CREATE TRIGGER attempts_stay_settled BEFORE UPDATE ON attempts WHEN OLD.settled = 1
  BEGIN SELECT RAISE(ABORT, 'settled attempts are immutable'); END;

CREATE TABLE reservations (
  namespace TEXT PRIMARY KEY,
  attempt TEXT NOT NULL REFERENCES attempts (id),
  body TEXT NOT NULL
) STRICT;

CREATE TABLE spends (
  issuer TEXT NOT NULL,
  reference TEXT NOT NULL,
  attempt TEXT NOT NULL UNIQUE REFERENCES attempts (id),
  body TEXT NOT NULL,
  PRIMARY KEY (issuer, reference)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER spends_are_not_updated BEFORE UPDATE ON spends
  BEGIN SELECT RAISE(ABORT, 'spends are insert-only'); END;
CREATE TRIGGER spends_are_not_deleted BEFORE DELETE ON spends
  BEGIN SELECT RAISE(ABORT, 'spends are insert-only'); END;

CREATE TABLE observations (
  attempt TEXT NOT NULL REFERENCES attempts (id),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  body TEXT NOT NULL,
  PRIMARY KEY (attempt, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER observations_are_not_updated BEFORE UPDATE ON observations
  BEGIN SELECT RAISE(ABORT, 'observations are insert-only'); END;
CREATE TRIGGER observations_are_not_deleted BEFORE DELETE ON observations
  BEGIN SELECT RAISE(ABORT, 'observations are insert-only'); END;

CREATE TABLE policies (
  revision INTEGER PRIMARY KEY CHECK (revision >= 1),
  body TEXT NOT NULL
) STRICT;
CREATE TRIGGER policies_are_not_updated BEFORE UPDATE ON policies
  BEGIN SELECT RAISE(ABORT, 'policies are insert-only'); END;
CREATE TRIGGER policies_are_not_deleted BEFORE DELETE ON policies
  BEGIN SELECT RAISE(ABORT, 'policies are insert-only'); END;

CREATE TABLE approvers (
  kid TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;

/** Every step, in order; the last one's ordinal is the format version. */
export const migrations: readonly Migration[] = [{ ordinal: 1, sql: first }];
