// Owns what the readers of all file formats give back.
import type { Problem } from '../problem.js';
import type { RawEntry } from '../raw-value.js';

/** The keys of one file, in its order, and what could not be read of it. */
export interface FileValues {
  readonly entries: readonly RawEntry[];
  readonly problems: readonly Problem[];
}
