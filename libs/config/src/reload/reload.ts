// Reloads settings: one reload at a time, with a line in the log.
import { loggerFor, withoutRequest } from '@tessera/logging';
import { trailingSingleFlight } from '@tessera/runtime';
import {
  type CoreSettings,
  type PrepareSettings,
  type ReloadableSettings,
  SettingsError,
} from '../settings/index.js';
import { withMinimumInterval } from './minimum-interval.js';
import { type ReloadEvent, reloadEvents } from './reload-events.js';
import { ReloadLog } from './reload-log.js';
import { combineOutcomes, type ReloadOutcome } from './reload-outcome.js';
import { ANOTHER_NODE } from './reload-reasons.js';

const logger = loggerFor('settings');

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
  /** Called when this process has new settings; resolves when the other processes have them. */
  readonly publish?: () => Promise<void>;
  /** Wraps each reload. */
  readonly around?: (reload: () => Promise<ReloadOutcome>) => Promise<ReloadOutcome>;
}

/** @param prepare makes this process ready for new settings */
export function reloadOf<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  prepare: PrepareSettings<T>,
  { publish = () => Promise.resolve(), around = (reload) => reload() }: ReloadOptions = {},
): Reload {
  const log = new ReloadLog();
  const reloadOnce = async (): Promise<ReloadOutcome> => {
    const outcome = await applyNewSettings(settings, prepare);
    if (summaryOf(outcome) === 'changed') await publish();
    return outcome;
  };
  const run = (reasons: readonly string[]): Promise<ReloadOutcome> => {
    const reloadAndLog = async (): Promise<ReloadOutcome> => {
      const outcome = await reloadOnce();
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

/** @param snapshot of another process of this program, which replaces the sources */
export async function applyNewSettings<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  prepare: PrepareSettings<T>,
  snapshot?: string,
): Promise<ReloadOutcome> {
  try {
    const { commit, discard: _, ...changes } = await settings.stage(prepare, snapshot);
    commit();
    return changes;
  } catch (error) {
    if (!(error instanceof SettingsError)) {
      logger.error({ error }, 'settings could not be read');
      return { problems: ['settings could not be read: the log says why'] };
    }
    const { cause, lines } = error;
    if (cause !== undefined) logger.error({ error: cause }, 'settings could not be used');
    return { problems: lines };
  }
}

function summaryOf(outcome: ReloadOutcome): ReloadEvent['outcome'] {
  if ('problems' in outcome) return 'rejected';
  return outcome.changed.length > 0 || outcome.files !== undefined ? 'changed' : 'unchanged';
}
