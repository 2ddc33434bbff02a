// What outlives an application: these parts belong to the process, and every application of it uses them in turn.
import type { ExplainSettings, Reload } from '@tessera/config';
import type { Listener } from '@tessera/server';
import type { FailureStore, MemoryRequestRateStore } from '@tessera/throttling';

/**
 * Besides these, what a module keeps outside of any application: channels of events, the last known answers of backends, and
 * which clones of git are current.
 */
export interface ProcessParts {
  readonly reload: Reload;
  /** The current settings for display, secrets masked. */
  readonly explain: ExplainSettings;
  /** The public socket. Without one, the application makes its own. */
  readonly listener?: Listener | undefined;
  /** Reads the metrics. Without it, the application has no routes for operators. */
  readonly readMetrics?: (() => Promise<string>) | undefined;
  /** The counts of failed logins. */
  readonly failedLogins: FailureStore;
  /** The counts of requests. */
  readonly requestRates: MemoryRequestRateStore;
  /** Whether no application of this process has started before. */
  readonly isFirst: boolean;
}
