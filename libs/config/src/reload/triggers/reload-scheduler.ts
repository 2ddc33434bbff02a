// Reloads when files change, when remote sources are due, and again after a refused file.
import { backoffDelay, Poller } from '@tessera/runtime';
import { type CoreSettings, type ReloadableSettings, sameValues } from '../../settings/index.js';
import { CHANGED_FILE, POLLING, REFUSED_FILE } from '../reload-reasons.js';
import type { Reload } from '../reload.js';
import type { FileWatch } from './file-watch.js';

/** The random part of an interval, so that nodes started together do not poll in step. */
const JITTER = 0.1;
/** In milliseconds. */
const RETRY_BACKOFF = { initial: 1_000, max: 60_000 };

/** @returns a function that stops it */
export function scheduleReloads<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  watch: FileWatch,
  reload: Reload,
  retries = new RetrySchedule(),
): () => void {
  const files = new Poller(
    () => settings.current.reload.fileInterval,
    async () => {
      await watch.check(() => reload(CHANGED_FILE));
      // The file may be right: a server that it names may have been unavailable.
      if (retries.isDue(watch.isRefused)) await reload(REFUSED_FILE);
    },
  );
  const remotes = new Poller(
    () => jittered(settings.current.reload.remoteInterval, Math.random()),
    async () => settings.loaded.isRemote && reload(POLLING),
  );
  const pollers = [files, remotes];
  settings.onCommit((_changes, before) => {
    if (sameValues(before.reload, settings.current.reload)) return;
    for (const each of pollers) each.restart();
  });
  for (const each of pollers) each.restart();
  return () => pollers.forEach((each) => each.stop());
}

/** @param random 0 to 1 */
export function jittered(interval: number, random: number): number {
  return Math.round(interval * (1 + JITTER * (2 * random - 1)));
}

/** Says when a refused file is due for its next reload. */
export class RetrySchedule {
  private attempts = 0;
  private due: number | undefined;

  /** @param now in milliseconds */
  constructor(
    private readonly backoff = RETRY_BACKOFF,
    private readonly now = () => performance.now(),
  ) {}

  /** Call it at each check; `true` starts an attempt. @param isRefused whether there is anything to retry */
  isDue(isRefused: boolean): boolean {
    if (!isRefused) {
      this.attempts = 0;
      this.due = undefined;
      return false;
    }
    this.due ??= this.now() + backoffDelay(this.attempts + 1, this.backoff);
    if (this.now() < this.due) return false;
    // The next delay begins at the check after this attempt, which may take long.
    this.due = undefined;
    this.attempts += 1;
    return true;
  }
}
