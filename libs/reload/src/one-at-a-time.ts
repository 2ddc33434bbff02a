// Owns that something is done once at a time, and that who asks gets what began after he asked.

/**
 * Runs `run` for each call, but never twice at once: calls that come during a run share the next one. A run that fails
 * fails its own callers alone.
 */
export function oneAtATime<R>(
  run: (causes: readonly string[]) => Promise<R>,
): (cause: string) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly causes: Set<string>; readonly result: Promise<R> } | undefined;
  return (cause) => {
    if (next === undefined) {
      const causes = new Set<string>();
      const begin = (): Promise<R> => {
        next = undefined;
        return run([...causes]);
      };
      next = { causes, result: last.then(begin, begin) };
      last = next.result;
    }
    next.causes.add(cause);
    return next.result;
  };
}
