// Owns what the log says of reloads.
import { loggerFor } from '@tessera/logging';
import { REPEATED } from './causes.js';
import type { ReloadOutcome } from './reload-outcome.js';

const log = loggerFor('settings');

/** Tells each outcome; but one that nobody asked for only where it is news. */
export class ReloadLog {
  /** What was wrong the last time. */
  private problems = '';

  tell(causes: readonly string[], outcome: ReloadOutcome): void {
    const cause = causes.join(', ');
    const isAskedFor = !causes.every((each) => REPEATED.has(each));
    const problems = 'problems' in outcome ? outcome.problems : [];
    const isNews = isAskedFor || problems.join('\n') !== this.problems;
    this.problems = problems.join('\n');
    if ('problems' in outcome) {
      if (isNews) log.warn({ cause, problems }, 'settings were not reloaded: those in force stay');
    } else if (outcome.changed.length > 0) {
      const { changed, restart } = outcome;
      log.info({ cause, changed, restart }, 'settings were reloaded');
    } else if (isNews) {
      log.info({ cause }, 'settings were read again: none has changed');
    }
  }
}
