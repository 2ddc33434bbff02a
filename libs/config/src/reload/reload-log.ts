// Logs the outcomes of reloads.
import { loggerFor } from '@tessera/logging';
import type { ReloadOutcome } from './reload-outcome.js';
import { RECURRING } from './reload-reasons.js';

const log = loggerFor('settings');

const SLOW_AFTER_MS = 30_000;

/** Logs each outcome. For recurring reloads, logs only an outcome that differs from the last one. */
export class ReloadLog {
  private lastProblems = '';

  /** @param slowAfter milliseconds until a reload under way is logged as slow */
  constructor(private readonly slowAfter = SLOW_AFTER_MS) {}

  /** Logs one warning when the reload is slow. @returns the same promise */
  async watch<R>(reasons: readonly string[], reload: Promise<R>): Promise<R> {
    const cause = reasons.join(', ');
    const since = new Date().toISOString();
    const warn = (): void => log.warn({ cause, since }, 'a reload is still under way');
    const timer = setTimeout(warn, this.slowAfter).unref();
    try {
      return await reload;
    } finally {
      clearTimeout(timer);
    }
  }

  write(reasons: readonly string[], outcome: ReloadOutcome): void {
    const cause = reasons.join(', ');
    const isRecurring = reasons.every((each) => RECURRING.has(each));
    const problems = 'problems' in outcome ? outcome.problems : [];
    const isNews = !isRecurring || problems.join('\n') !== this.lastProblems;
    this.lastProblems = problems.join('\n');
    if ('problems' in outcome) {
      if (isNews) {
        log.warn({ cause, problems }, 'settings were not reloaded: the current ones stay');
      }
    } else if (outcome.changed.length > 0) {
      log.info({ cause, ...outcome }, 'settings were reloaded');
    } else if (outcome.files !== undefined) {
      const { files } = outcome;
      log.info({ cause, files }, 'files that settings name have changed and are used now');
    } else if (isNews) {
      log.info({ cause }, 'settings were read again: none has changed');
    }
  }
}
