// Owns what is said about keys of other servers in our sources: that they do nothing, and what would.
import type { MigrationHint } from './migration-hints.js';

/** The log cuts lists, so the most important stands in this many lines. */
const MOST_LINES = 50;

/** A group of more keys than these takes one line. */
const MOST_OF_GROUP = 5;

/** A key that looks meant for this application, and gives nothing a value. */
export interface UnusedKey extends MigrationHint {
  /** As it is written: in the environment, the variable. */
  readonly key: string;
  readonly origin: string;
}

/** The key alone where it is another server's. */
export function unusedKey(
  key: string,
  origin: string,
  counterpart: MigrationHint | undefined,
): UnusedKey[] {
  return counterpart ? [{ key, origin, ...counterpart }] : [];
}

/**
 * One line a key, with the first of its places, and never its value; first those with a counterpart. Large groups are
 * one line, and what is too much is counted.
 */
export function describeUnusedKeys(idleKeys: readonly UnusedKey[]): string[] {
  const strongest = new Map(idleKeys.toReversed().map((idle) => [idle.key, idle]));
  const keys = [...strongest.values()].toReversed();
  const ordered = [...keys.filter(hasCounterpart), ...keys.filter((key) => !hasCounterpart(key))];
  const lines = [...Map.groupBy(ordered, ({ group }) => group).values()].flatMap(linesOf);
  const left = lines.length - MOST_LINES;
  return left > 0 ? [...lines.slice(0, MOST_LINES), `and ${left} more`] : lines;
}

function hasCounterpart({ instead }: UnusedKey): boolean {
  return instead !== undefined;
}

function linesOf(group: readonly UnusedKey[]): string[] {
  const [first] = group;
  if (!first || group.length <= MOST_OF_GROUP) {
    return group.map((idle) => `${withoutValue(idle.key)} (${idle.origin})${advice(idle)}`);
  }
  const count = `${group.length} keys, first in ${first.origin}`;
  return [`${withoutValue(first.group)}.* (${count})${advice(first)}`];
}

function advice({ instead }: UnusedKey): string {
  return instead === undefined ? '' : `: here it is ${instead}`;
}

/** Of a key that swallowed its value by mistake, only what a key may hold. */
function withoutValue(key: string): string {
  return key.replace(/[^\w.[\]-].*$/s, '…');
}
