// The forms in which directories write times. A time is null for never, and `undefined` for an invalid value.

export type DirectoryTime = Date | null | undefined;

const DAY_MS = 86_400_000;
const AFTER_YEAR_9999 = Date.UTC(10_000, 0);
/** From 1601, where Active Directory counts from, to 1970. */
const FILE_TIME_EPOCH_MS = 11_644_473_600_000;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)?(\d\d)?(?:[.,]\d+)?(?:Z|([+-]\d\d)(\d\d)?)$/i;

/** `20270630180000Z`. @see RFC 4517 §3.3.13 */
export function generalizedTime(value: string): DirectoryTime {
  if (value === '' || value === '0') return null;
  const [found, year, month, day, hour, minute = '00', second = '00', zone, zoneMinute = '00'] =
    GENERALIZED.exec(value) ?? [];
  if (found === undefined) return undefined;
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinute}`;
  return dateAt(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`));
}

/** Steps of 100 ns since 1601. */
export function fileTime(value: string): DirectoryTime {
  return scaled(value, (steps) => steps / 10_000 - FILE_TIME_EPOCH_MS);
}

export function secondsSince1970(value: string): DirectoryTime {
  return scaled(value, (seconds) => seconds * 1000);
}

/** As in shadow(5): 0 is a day, a negative number means never. */
export function daysSince1970(value: string): DirectoryTime {
  if (/^-\d{1,6}$/.test(value)) return null;
  return /^\d{1,6}$/.test(value) ? dateAt(Number(value) * DAY_MS) : undefined;
}

/** 0 and negative numbers mean never. */
function scaled(value: string, toMs: (number: number) => number): DirectoryTime {
  if (!/^-?\d{1,19}$/.test(value)) return undefined;
  const number = Number(value);
  return number > 0 ? dateAt(toMs(number)) : null;
}

function dateAt(time: number): DirectoryTime {
  if (Number.isNaN(time)) return undefined;
  return time < AFTER_YEAR_9999 ? new Date(time) : null;
}
