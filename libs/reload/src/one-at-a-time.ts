// Owns that something is done once at a time, and that who asks gets what began after he asked.

/**
 * Runs `run` for each call, but never twice at once: calls that come during a run share the next one. A run that fails
 * fails its own callers alone.
 *
 * @param combine what calls that came during a run get of it and of their own; only of their own unless told
 */
export function oneAtATime<R>(
  run: (causes: readonly string[]) => Promise<R>,
  combine: (underWay: R, own: R) => R = (_, own) => own,
): (cause: string) => Promise<R> {
  let last: Promise<R> | undefined;
  let next: { readonly causes: Set<string>; readonly result: Promise<R> } | undefined;

  const queue = (causes: Set<string>): Promise<R> => {
    const before = last;
    const begin = (): Promise<R> => {
      next = undefined;
      return run([...causes]).finally(() => {
        if (last === own) last = undefined;
      });
    };
    const own: Promise<R> = (before ?? Promise.resolve()).then(begin, begin);
    last = own;
    return before === undefined ? own : combined(before, own);
  };
  const combined = async (before: Promise<R>, own: Promise<R>): Promise<R> => {
    const [underWay, result] = await Promise.allSettled([before, own]);
    if (result.status === 'rejected') throw result.reason;
    return underWay.status === 'rejected' ? result.value : combine(underWay.value, result.value);
  };

  return (cause) => {
    if (next === undefined) {
      const causes = new Set<string>();
      next = { causes, result: queue(causes) };
    }
    next.causes.add(cause);
    return next.result;
  };
}
