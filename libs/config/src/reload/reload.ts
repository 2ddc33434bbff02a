// Reloads settings: one reload at a time, in all processes, with a line in the log.
import { withoutRequest } from '@tessera/logging';
import { trailingSingleFlight } from '@tessera/runtime';
import type { CoreSettings, LiveSettings } from '../settings/index.js';
import { withMinimumInterval } from './minimum-interval.js';
import {
  coordinatedReload,
  LocalParticipant,
  type Participant,
} from './processes/coordinated-reload.js';
import { type ReloadEvent, reloadEvents } from './reload-events.js';
import { ReloadLog } from './reload-log.js';
import { combineOutcomes, type ReloadOutcome } from './reload-outcome.js';
import { ANOTHER_NODE } from './reload-reasons.js';

/** In milliseconds. Every user of the database can announce that another node has reloaded. */
const ANNOUNCEMENT_INTERVAL = 1_000;

/**
 * Reads all settings again and applies them if all are valid. Calls that come during a reload share the next one, and get the
 * changes of both. Never fails.
 *
 * @param reason for the log, such as `SIGHUP`
 */
export type Reload = (reason: string) => Promise<ReloadOutcome>;

export interface ReloadOptions {
  /** The other processes: either all apply the new settings, or none does. */
  readonly others?: () => readonly Participant[];
  /** Wraps each reload. */
  readonly around?: (reload: () => Promise<ReloadOutcome>) => Promise<ReloadOutcome>;
}

/** The reload of this process together with the others. */
export function reloadOf<T extends CoreSettings>(
  live: LiveSettings<T>,
  { others = () => [], around = (reload) => reload() }: ReloadOptions = {},
): Reload {
  const local = new LocalParticipant(live);
  const log = new ReloadLog();
  const run = (reasons: readonly string[]): Promise<ReloadOutcome> => {
    const reloadAndLog = async (): Promise<ReloadOutcome> => {
      const outcome = await coordinatedReload([local, ...others()]);
      log.write(reasons, outcome);
      reloadEvents.publish({ outcome: summaryOf(outcome) });
      return outcome;
    };
    return log.watch(reasons, around(reloadAndLog));
  };
  // What a reload creates outlives the request that started it.
  const reload = trailingSingleFlight<ReloadOutcome, [string]>(
    (calls) => withoutRequest(() => run([...new Set(calls.flat())])),
    combineOutcomes,
  );
  const reloadAfterNode = withMinimumInterval(() => reload(ANOTHER_NODE), ANNOUNCEMENT_INTERVAL);
  return (reason) => (reason === ANOTHER_NODE ? reloadAfterNode() : reload(reason));
}

function summaryOf(outcome: ReloadOutcome): ReloadEvent['outcome'] {
  if ('problems' in outcome) return 'rejected';
  return outcome.changed.length > 0 || outcome.files !== undefined ? 'changed' : 'unchanged';
}
