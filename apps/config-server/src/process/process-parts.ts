// What outlives an application: these parts belong to the process, and every application of it uses them in turn.
import type { ProcessParts } from '@tessera/server';
import type { FailureStore, MemoryRequestRateStore } from '@tessera/throttling';

/**
 * Modules of this application keep for the process: the last known answers of backends, the order of changes to clones of git
 * and which of them were fetched, and the requests that paths ask for.
 */
export interface ConfigServerParts extends ProcessParts {
  /** The counts of failed logins. */
  readonly failedLogins: FailureStore;
  /** The counts of requests. */
  readonly requestRates: MemoryRequestRateStore;
}
