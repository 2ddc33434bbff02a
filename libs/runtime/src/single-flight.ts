// Single flight: concurrent calls of one function share its runs.

/** Concurrent calls with the same key share one run, the one under way. */
export class SingleFlight<V> {
  private readonly runs = new Map<string, Promise<V>>();

  /** A run that fails fails for all callers that share it. */
  run(key: string, call: () => Promise<V>): Promise<V> {
    const underWay = this.runs.get(key);
    if (underWay !== undefined) return underWay;
    const run = call().finally(() => {
      if (this.runs.get(key) === run) this.runs.delete(key);
    });
    this.runs.set(key, run);
    return run;
  }

  /** Later calls do not share the runs that are under way now. */
  forget(): void {
    this.runs.clear();
  }
}

/** A map of promises, such as an LRU cache. */
interface PromiseCache<V> {
  get(key: string): Promise<V> | undefined;
  set(key: string, value: Promise<V>): unknown;
  delete(key: string): unknown;
}

/** The cached result of a call, or of the run under way. A failure is not cached. */
export function cachedSingleFlight<V>(
  cache: PromiseCache<V>,
  key: string,
  call: () => Promise<V>,
): Promise<V> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const run = call();
  cache.set(key, run);
  run.catch(() => cache.delete(key));
  return run;
}

/**
 * Runs `run` for each call, one run at a time. Calls that come during a run share the next one, so that each gets a run
 * that began after the call. A failed run fails for its own callers only.
 *
 * @param combine makes the result for callers that waited for the run before theirs; by default it is that of their own run
 */
export function trailingSingleFlight<R, A extends readonly unknown[] = []>(
  run: (calls: readonly A[]) => Promise<R>,
  combine: (previous: R, own: R) => R = (_, own) => own,
): (...call: A) => Promise<R> {
  let last: Promise<R> | undefined;
  let next: { readonly calls: A[]; readonly result: Promise<R> } | undefined;

  const queue = (calls: readonly A[]): Promise<R> => {
    const previous = last;
    const begin = (): Promise<R> => {
      next = undefined;
      return run(calls).finally(() => {
        if (last === own) last = undefined;
      });
    };
    const own: Promise<R> = (previous ?? Promise.resolve()).then(begin, begin);
    last = own;
    return previous === undefined ? own : combined(previous, own);
  };
  const combined = async (previous: Promise<R>, own: Promise<R>): Promise<R> => {
    const [before, result] = await Promise.allSettled([previous, own]);
    if (result.status === 'rejected') throw result.reason;
    return before.status === 'rejected' ? result.value : combine(before.value, result.value);
  };

  return (...call) => {
    if (next === undefined) {
      const calls: A[] = [];
      next = { calls, result: queue(calls) };
    }
    next.calls.push(call);
    return next.result;
  };
}
