// Counts the files of an import, for people.
import type { FileReport, ImportReport } from './import-service-files.js';

/** What becomes of a file: a service that works, one that refuses everybody, or none. */
export type FileState = 'working' | 'disabled' | 'refused' | 'ignored';

const STATES: readonly FileState[] = ['working', 'disabled', 'refused', 'ignored'];

/** The number of files by outcome: `2 added, 1 unchanged`. */
export function summaryOf({ files }: ImportReport): string {
  const counts = Map.groupBy(files, ({ outcome }) => outcome);
  const parts = [...counts].map(([outcome, each]) => `${each.length} ${outcome}`);
  return parts.length > 0 ? parts.toSorted().join(', ') : 'no files';
}

/** A service that an earlier import made of a file of another protocol is removed: the file is ignored. */
export function stateOf(report: FileReport): FileState {
  if ('reason' in report) return report.outcome === 'refused' ? 'refused' : 'ignored';
  return report.enabled ? 'working' : 'disabled';
}

/** The number of files by state, in the order of their severity. */
export function countStates({ files }: ImportReport): Readonly<Record<FileState, number>> {
  const counts = STATES.map(
    (state) => [state, files.filter((each) => stateOf(each) === state).length] as const,
  );
  return Object.fromEntries(counts) as Record<FileState, number>;
}
