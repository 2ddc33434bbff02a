// Owns what comes of a reload.
import type { ChangedKeys } from '@tessera/settings';

/** What changed, or every problem for which nothing did. */
export type ReloadOutcome = ChangedKeys | { readonly problems: readonly string[] };
