// Reads `expirationPolicy` of a service file.
import { type Handler, membersOf, policyOf, withoutEffect } from './member-handlers.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No time zone is further ahead. */
const EARLIEST_ZONE_MS = 14 * HOUR_MS;
const TIME = String.raw`(?<hour>\d\d?):(?<minute>\d\d)`;
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T${TIME}(?::(?<second>\d\d)(?:\.\d{1,9})?)?` +
    String.raw`(?:(?<zone>Z|[+-]\d\d:\d\d)(?:\[[\w/+-]+\])?)?)?$`,
);
const AMERICAN = new RegExp(
  String.raw`^(?<month>\d\d)/(?<day>\d\d)/(?<year>\d{4})(?: ${TIME}(?: (?<half>[ap])m)?)?$`,
  'i',
);

interface Expiry {
  readonly time: Date;
  /** Whether it is the time of a zone that is not named. */
  readonly isLocal: boolean;
}

/**
 * The time from which Apereo CAS takes a service for expired, or an earlier one: a time without a zone counts in the
 * earliest. A day counts to its end. Undefined for a text that is no date.
 */
export function readExpiryDate(text: string): Expiry | undefined {
  const found = (ISO.exec(text) ?? AMERICAN.exec(text))?.groups;
  const local = found && localTimeOf(found);
  if (found === undefined || local === undefined) return undefined;
  const { zone } = found;
  const ahead = zone === undefined ? EARLIEST_ZONE_MS : offsetOf(zone);
  return { time: new Date(local - ahead), isLocal: zone === undefined };
}

type Parts = Readonly<Record<string, string | undefined>>;

/** As if it were in UTC. A fraction of a second is dropped. */
function localTimeOf({
  year,
  month,
  day,
  hour,
  minute,
  second = '0',
  half,
}: Parts): number | undefined {
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // `Date` turns 30 February into 2 March.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return undefined;
  if (hour === undefined) return midnight.getTime() + DAY_MS;
  const hours = half === undefined ? Number(hour) : hourOfHalf(Number(hour), half);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return midnight.getTime() + hours * HOUR_MS + Number(minute) * 60_000 + Number(second) * 1_000;
}

/** @returns 24, which is no hour, for one that is not 1 to 12 */
function hourOfHalf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = zone.slice(1).split(':').map(Number);
  const ahead = (hours ?? 0) * HOUR_MS + (minutes ?? 0) * 60_000;
  return zone.startsWith('-') ? -ahead : ahead;
}

const expirationDate: Handler = (value, member, draft) => {
  if (value === null || value === '') return;
  const expiry = typeof value === 'string' ? readExpiryDate(value) : undefined;
  if (expiry === undefined) {
    draft.addNotUnderstood(member, 'is no date that is known here');
    return;
  }
  const expiresAt = expiry.time.toISOString();
  draft.take(member, 'expiresAt', expiresAt);
  if (expiry.isLocal) {
    draft.addWithoutEffect(
      member,
      `counts from ${expiresAt}: it names no time zone, so the earliest is taken`,
    );
  }
};

export const expirationPolicy = policyOf(
  'DefaultRegisteredServiceExpirationPolicy',
  membersOf({
    expirationDate,
    deleteWhenExpired: withoutEffect(
      'is not followed: an expired service stays, and refuses everybody',
    ),
    notifyWhenDeleted: withoutEffect('has no effect: nobody is notified'),
    notifyWhenExpired: withoutEffect('has no effect: nobody is notified'),
  }),
);
