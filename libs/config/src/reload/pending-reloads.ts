// Answers the callers of reloads when the process shuts down.
import type { ReloadOutcome } from './reload-outcome.js';
import type { Reload } from './reload.js';

export const SHUTTING_DOWN: ReloadOutcome = { problems: ['the process is ending'] };

/** The callers that wait for a reload in this process. */
export class PendingReloads {
  private readonly waiting = new Set<(outcome: ReloadOutcome) => void>();
  private isShuttingDown = false;

  constructor(private readonly run: Reload) {}

  /** Reloads; resolves to {@link SHUTTING_DOWN} as soon as the shutdown begins. */
  readonly reload: Reload = async (reason) => {
    if (this.isShuttingDown) return SHUTTING_DOWN;
    const { promise, resolve, reject } = Promise.withResolvers<ReloadOutcome>();
    this.waiting.add(resolve);
    this.run(reason).then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.waiting.delete(resolve);
    }
  };

  /** @param shutdown aborted when the shutdown begins */
  endAt(shutdown: AbortSignal): void {
    const answer = (): void => {
      this.isShuttingDown = true;
      for (const resolve of this.waiting) resolve(SHUTTING_DOWN);
    };
    if (shutdown.aborted) answer();
    else shutdown.addEventListener('abort', answer, { once: true });
  }
}
