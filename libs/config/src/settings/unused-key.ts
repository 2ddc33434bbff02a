// Log lines about keys of other servers in our sources: they have no effect, and which key to use instead.
import type { MigrationHint } from './migration/migration-hints.js';

/** A larger group is one line. */
const MAX_GROUP_LINES = 5;

/** A key that seems meant for this application and sets nothing. */
export interface UnusedKey extends MigrationHint {
  /** As written; in the environment, the variable. */
  readonly key: string;
  readonly origin: string;
}

/** The key if it is another server's; else nothing. */
export function unusedKey(
  key: string,
  origin: string,
  hint: MigrationHint | undefined,
): UnusedKey[] {
  return hint ? [{ key, origin, ...hint }] : [];
}

/**
 * One line per key with its first origin, never its value. Keys with a replacement come first. A large group is one
 * line.
 */
export function describeUnusedKeys(unusedKeys: readonly UnusedKey[]): string[] {
  const strongest = new Map(unusedKeys.toReversed().map((unused) => [unused.key, unused]));
  const keys = [...strongest.values()].toReversed();
  const ordered = [...keys.filter(hasReplacement), ...keys.filter((key) => !hasReplacement(key))];
  return [...Map.groupBy(ordered, ({ group }) => group).values()].flatMap(linesOf);
}

function hasReplacement({ instead }: UnusedKey): boolean {
  return instead !== undefined;
}

function linesOf(group: readonly UnusedKey[]): string[] {
  const [first] = group;
  if (!first || group.length <= MAX_GROUP_LINES) {
    return group.map(
      (unused) => `${withoutValue(unused.key)} (${unused.origin})${suggestion(unused)}`,
    );
  }
  const count = `${group.length} keys, first in ${first.origin}`;
  return [`${withoutValue(first.group)}.* (${count})${suggestion(first)}`];
}

function suggestion({ instead }: UnusedKey): string {
  return instead === undefined ? '' : `: here it is ${instead}`;
}

/** Cuts a key that contains its value by mistake. */
function withoutValue(key: string): string {
  return key.replace(/[^\w.[\]-].*$/s, '…');
}
