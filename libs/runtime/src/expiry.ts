// Reads the day or the time from which something is refused.

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The rule of {@link parseExpiry} in words. */
export const EXPIRY_RULE =
  'a date such as 2027-06-30 (from 00:00 UTC on), a time such as 2027-06-30T18:00:00+02:00, or never';

/** The time of expiry; null for `never`, `undefined` for invalid text. */
export function parseExpiry(text: string): Date | null | undefined {
  if (text === 'never') {
    return null;
  }
  const day = DATE.exec(text)?.[1];
  return day !== undefined && isCalendarDay(day) && !Number.isNaN(Date.parse(text))
    ? new Date(text)
    : undefined;
}

/** `Date` turns 30 February into 2 March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
