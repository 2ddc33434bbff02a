import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Limits how often `run` starts: at most once in `interval` ms. Calls that come too soon share the next start, so that a run
 * follows each call.
 */
export function withMinimumInterval<R>(run: () => Promise<R>, interval: number): () => Promise<R> {
  let nextStart = -Infinity;
  let next: Promise<R> | undefined;
  const runLater = async (): Promise<R> => {
    await sleep(Math.max(0, nextStart - performance.now()), undefined, { ref: false });
    next = undefined;
    nextStart = performance.now() + interval;
    return run();
  };
  return () => (next ??= runLater());
}
