// Owns what the log says of reloads.
import { loggerFor } from '@tessera/logging';
import { REPEATED } from './reload-reasons.js';
import type { ReloadOutcome } from './reload-outcome.js';

const log = loggerFor('settings');

/** In milliseconds. */
const LONG = 30_000;

/** Tells each outcome; but one that nobody asked for only where it is news. */
export class ReloadLog {
  /** What was wrong the last time. */
  private problems = '';

  /** @param long how many milliseconds a reload may take before it is told of */
  constructor(private readonly long = LONG) {}

  /** Tells once of a reload that takes long. @returns the same promise */
  async watch<R>(causes: readonly string[], reload: Promise<R>): Promise<R> {
    const cause = causes.join(', ');
    const since = new Date().toISOString();
    const tell = (): void => log.warn({ cause, since }, 'a reload is still under way');
    const timer = setTimeout(tell, this.long).unref();
    try {
      return await reload;
    } finally {
      clearTimeout(timer);
    }
  }

  tell(causes: readonly string[], outcome: ReloadOutcome): void {
    const cause = causes.join(', ');
    const isAskedFor = !causes.every((each) => REPEATED.has(each));
    const problems = 'problems' in outcome ? outcome.problems : [];
    const isNews = isAskedFor || problems.join('\n') !== this.problems;
    this.problems = problems.join('\n');
    if ('problems' in outcome) {
      if (isNews) log.warn({ cause, problems }, 'settings were not reloaded: those in force stay');
    } else if (outcome.changed.length > 0) {
      log.info({ cause, ...outcome }, 'settings were reloaded');
    } else if (outcome.files !== undefined) {
      const { files } = outcome;
      log.info({ cause, files }, 'files that settings name have changed, and were taken over');
    } else if (isNews) {
      log.info({ cause }, 'settings were read again: none has changed');
    }
  }
}
