// Owns that nobody waits for a reload of a process that ends.
import type { ReloadOutcome } from './reload-outcome.js';
import type { Reload } from './reload.js';

export const ENDING: ReloadOutcome = { problems: ['the process is ending'] };

/** The callers of one process. */
export class Callers {
  private readonly waiting = new Set<(outcome: ReloadOutcome) => void>();
  private isEnding = false;

  constructor(private readonly run: Reload) {}

  /** As the reload it was made of; but {@link ENDING} as soon as the process is to end, whatever becomes of it. */
  readonly reload: Reload = async (cause) => {
    if (this.isEnding) return ENDING;
    const { promise, resolve, reject } = Promise.withResolvers<ReloadOutcome>();
    this.waiting.add(resolve);
    this.run(cause).then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.waiting.delete(resolve);
    }
  };

  /** @param end aborted when the process is to end */
  answerAt(end: AbortSignal): void {
    const answer = (): void => {
      this.isEnding = true;
      for (const resolve of this.waiting) resolve(ENDING);
    };
    if (end.aborted) answer();
    else end.addEventListener('abort', answer, { once: true });
  }
}
