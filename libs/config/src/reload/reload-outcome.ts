import type { ChangedKeys } from '../settings/index.js';

/** The changed keys, or every problem for which nothing changed. */
export type ReloadOutcome = ChangedKeys | { readonly problems: readonly string[] };

/** The outcome for callers that waited for two reloads. The later one knows which keys need a restart. */
export function combineOutcomes(earlier: ReloadOutcome, later: ReloadOutcome): ReloadOutcome {
  if ('problems' in earlier || 'problems' in later) return later;
  const { files: first = [], changed } = earlier;
  const { files: second = [] } = later;
  return {
    ...later,
    changed: [...new Set([...changed, ...later.changed])].toSorted(),
    ...(later.files !== undefined && { files: [...new Set([...first, ...second])].toSorted() }),
  };
}
