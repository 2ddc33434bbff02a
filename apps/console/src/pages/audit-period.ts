// The time that the filters of the audit trail ask for.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const LENGTHS: Readonly<Record<string, number>> = {
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/** The value of `last` in the address. `between` stands for `since` and `until`, and is not in the address. */
export const PERIODS: Readonly<Record<string, string>> = {
  '': 'any',
  '15m': 'last 15 minutes',
  '1h': 'last hour',
  '24h': 'last day',
  '7d': 'last week',
  '30d': 'last 30 days',
  between: 'from … to …',
};

/** @returns the start of the last hour for `1h`, and undefined for an unknown period */
export function startOf(last: string, now: Date): string | undefined {
  const length = Object.hasOwn(LENGTHS, last) ? LENGTHS[last] : undefined;
  return length === undefined ? undefined : new Date(now.getTime() - length).toISOString();
}
