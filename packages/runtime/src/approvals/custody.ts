import type { Kid } from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";

/**
 * Where private keys lie, and nothing else does: their bytes enter no store, log or error.
 *
 * An adapter keeps what only its owner can read (0600 in a 0700 directory, or a passphrase).
 */
export interface Custody {
  /** The private key file of this kid, or null when it is not here. */
  read(kid: Kid): Promise<Outcome<Uint8Array | null>>;
  /** Keeps a new file; one that is already there is never overwritten (`lifecycle_conflict`). */
  write(kid: Kid, file: Uint8Array): Promise<Outcome<null>>;
  /** Forgets it; idempotent. */
  remove(kid: Kid): Promise<Outcome<null>>;
}
