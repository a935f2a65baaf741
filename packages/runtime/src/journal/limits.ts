import {
  approversMax,
  attemptsMax,
  auditRecordsMax,
  clockBackstepMsMax,
  keyRetentionMs,
  observationsMax,
} from "@connectors/domain";

/** The bounds that a decision keeps. Plain data, so that a store may hand it to a worker. */
export interface JournalLimits {
  readonly attemptsMax: number;
  readonly auditRecordsMax: number;
  readonly observationsMax: number;
  readonly approversMax: number;
  readonly clockBackstepMsMax: number;
  readonly keyRetentionMs: number;
}

/** The modelled bounds. Only tests, which cannot fill a store of this size, use others. */
export const journalLimits: JournalLimits = {
  attemptsMax,
  auditRecordsMax,
  observationsMax,
  approversMax,
  clockBackstepMsMax,
  keyRetentionMs,
};
