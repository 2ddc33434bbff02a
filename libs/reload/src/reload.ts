// Owns a reload: one at a time, in all processes, and told in the log. What causes one is next door.
import { withoutRequestId } from '@tessera/logging';
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import { ANOTHER_NODE } from './reload-reasons.js';
import { oneAtATime } from './one-at-a-time.js';
import { LocalParticipant } from './processes/local-participant.js';
import type { Participant } from './processes/participant.js';
import { coordinatedReload } from './processes/coordinated-reload.js';
import { ReloadLog } from './reload-log.js';
import { inSuccession, type ReloadOutcome } from './reload-outcome.js';
import { spaced } from './spaced.js';

/** Whoever may connect to the database may say that another node has reloaded. In milliseconds. */
const BETWEEN_ANNOUNCEMENTS = 1_000;

/**
 * Reads all settings anew, after the call, and puts them in force unless anything is wrong with them. Calls that come while
 * a reload is under way share the next one, and are told what both have changed. Never fails.
 *
 * @param cause for the log: `SIGHUP`
 */
export type Reload = (cause: string) => Promise<ReloadOutcome>;

export interface ReloadOptions {
  /** The other processes: all go over, or none. */
  readonly others?: () => readonly Participant[];
  /** Runs each reload. */
  readonly around?: (reload: () => Promise<ReloadOutcome>) => Promise<ReloadOutcome>;
}

/** Of this process, and of the others that go with it. */
export function reloadOf<T extends CoreSettings>(
  live: LiveSettings<T>,
  { others = () => [], around = (reload) => reload() }: ReloadOptions = {},
): Reload {
  const own = new LocalParticipant(live);
  const log = new ReloadLog();
  const run = (causes: readonly string[]): Promise<ReloadOutcome> => {
    const reloadAndTell = async (): Promise<ReloadOutcome> => {
      const outcome = await coordinatedReload([own, ...others()]);
      log.tell(causes, outcome);
      return outcome;
    };
    return log.watch(causes, around(reloadAndTell));
  };
  // What is made of settings lives on: it is no part of the request that called for it.
  const reload = oneAtATime((causes) => withoutRequestId(() => run(causes)), inSuccession);
  const afterOthers = spaced(() => reload(ANOTHER_NODE), BETWEEN_ANNOUNCEMENTS);
  return (cause) => (cause === ANOTHER_NODE ? afterOthers() : reload(cause));
}
