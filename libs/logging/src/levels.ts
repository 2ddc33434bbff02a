// The log levels, and which one applies to a logger.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Higher is more urgent. */
export const RANK: Readonly<Record<LogLevel, number>> = {
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
};

/**
 * The level of a logger: its own, else that of the longest dotted prefix of its name, else that of
 * `root`, else `info`.
 */
export function levelFor(name: string, levels: Readonly<Record<string, LogLevel>>): LogLevel {
  for (let prefix = name; prefix !== ''; prefix = withoutLastSegment(prefix)) {
    const level = Object.hasOwn(levels, prefix) ? levels[prefix] : undefined;
    if (level) return level;
  }
  return (Object.hasOwn(levels, 'root') ? levels['root'] : undefined) ?? 'info';
}

function withoutLastSegment(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
