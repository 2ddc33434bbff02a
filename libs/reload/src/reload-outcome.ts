// Owns what comes of a reload.
import type { ChangedKeys } from '@tessera/settings';

/** What changed, or every problem for which nothing did. */
export type ReloadOutcome = ChangedKeys | { readonly problems: readonly string[] };

/** What has come of two reloads for those who waited for both: what waits for a restart is told by the later one. */
export function inSuccession(earlier: ReloadOutcome, later: ReloadOutcome): ReloadOutcome {
  if ('problems' in earlier || 'problems' in later) return later;
  const { files: first = [], changed } = earlier;
  const { files: second = [] } = later;
  return {
    ...later,
    changed: [...new Set([...changed, ...later.changed])].toSorted(),
    ...(later.files !== undefined && { files: [...new Set([...first, ...second])].toSorted() }),
  };
}
