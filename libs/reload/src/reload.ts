// Owns a reload: one at a time, in all processes, and told in the log. What causes one is next door.
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import { oneAtATime } from './one-at-a-time.js';
import { OwnProcess } from './processes/own-process.js';
import type { Participant } from './processes/participant.js';
import { reloadTogether } from './processes/reload-together.js';
import { ReloadLog } from './reload-log.js';
import type { ReloadOutcome } from './reload-outcome.js';

/**
 * Reads all settings anew, after the call, and puts them in force unless anything is wrong with them. Calls that come while
 * a reload is under way share the next one. Never fails.
 *
 * @param cause for the log: `SIGHUP`
 */
export type Reload = (cause: string) => Promise<ReloadOutcome>;

/** Of this process, and of the others that go with it: all or none. */
export function reloadOf<T extends CoreSettings>(
  live: LiveSettings<T>,
  others: () => readonly Participant[] = () => [],
): Reload {
  const own = new OwnProcess(live);
  const log = new ReloadLog();
  return oneAtATime(async (causes) => {
    const outcome = await reloadTogether([own, ...others()]);
    log.tell(causes, outcome);
    return outcome;
  });
}
