// The attributes by which directories lock accounts, let them expire, or let their passwords expire.
import type { DirectoryEntry } from './directory-entry.js';
import {
  daysSince1970,
  type DirectoryTime,
  fileTime,
  generalizedTime,
  secondsSince1970,
} from './directory-times.js';

export interface DirectoryLock {
  /** The attributes that lock the account now. */
  readonly lockedBy: readonly string[];
  /** As the field `expires` of an import; null for never. */
  readonly expires: string | null | undefined;
  /** Attributes whose names suggest a lock or an expiry, and that are not read. */
  readonly unread: readonly string[];
}

/** Whether a value locks the account; `undefined` for an invalid one. */
type Lock = (value: string, now: Date) => boolean | undefined;
type Expiry = (value: string) => DirectoryTime;

const unless =
  (open: RegExp): Lock =>
  (value) =>
    !open.test(value);
const UNLESS_FALSE = unless(/^(?:false|no|off|0)?$/i);
const ALWAYS = unless(/^$/);
const UNTIL_THEN: Lock = (value, now) => {
  const time = generalizedTime(value);
  // 1970 means until somebody unlocks it.
  return !time || time.getTime() === 0 || time > now;
};
const FROM_THEN: Lock = (value, now) => {
  const time = generalizedTime(value);
  return time === undefined ? undefined : time !== null && time > now;
};
const bits =
  (mask: number): Lock =>
  (value) =>
    /^-?\d{1,10}$/.test(value) ? (Number(value) & mask) !== 0 : undefined;

/** A locked account, or a password that must be changed before anything else. @see docs/users.md */
const LOCKS: ReadonlyMap<string, Lock> = new Map<string, Lock>([
  ['nsAccountLock', UNLESS_FALSE], // 389, Sun, FreeIPA
  ['inetUserStatus', unless(/^(?:active)?$/i)], // Sun, 389
  ['accountStatus', unless(/^(?:active|enabled)?$/i)],
  ['accountUnlockTime', UNTIL_THEN], // 389
  ['nsRoleDN', (value) => /^cn=ns(?:managed)?disabledrole\b/i.test(value)], // 389
  ['nsRole', (value) => /^cn=ns(?:managed)?disabledrole\b/i.test(value)],
  ['ds-pwp-account-disabled', UNLESS_FALSE], // OpenDJ, PingDirectory
  ['loginDisabled', UNLESS_FALSE], // eDirectory
  ['lockedByIntruder', UNLESS_FALSE],
  ['orclIsEnabled', unless(/^(?:enabled|true)?$/i)], // Oracle
  ['ibm-pwdAccountLocked', UNLESS_FALSE], // IBM
  ['secAcctValid', unless(/^(?:true)?$/i)],
  ['pwdAccountLockedTime', ALWAYS], // ppolicy
  ['pwdAccountTmpLockoutEnd', UNTIL_THEN],
  ['pwdReset', UNLESS_FALSE],
  ['userAccountControl', bits(0x00_0012)], // Active Directory: ACCOUNTDISABLE, LOCKOUT
  ['msDS-User-Account-Control-Computed', bits(0x80_0012)], // and PASSWORD_EXPIRED
  ['lockoutTime', UNLESS_FALSE],
  ['msDS-UserAccountDisabled', UNLESS_FALSE],
  ['ms-DS-UserAccountAutoLocked', UNLESS_FALSE],
  ['msDS-UserPasswordExpired', UNLESS_FALSE],
  ['pwdLastSet', (value) => value === '0'],
  ['krbTicketFlags', bits(0x40)], // MIT Kerberos: DISALLOW_ALL_TIX
  ['krb5KDCFlags', bits(0x80)], // Heimdal: invalid
  ['sambaAcctFlags', (value) => /[DL]/.test(value)], // disabled, locked
  ['acctFlags', (value) => /[DL]/.test(value)],
  ['pwdStartTime', FROM_THEN],
  ['orclActiveStartDate', FROM_THEN],
  ['krb5ValidStart', FROM_THEN], // Heimdal
]);

const EXPIRIES: ReadonlyMap<string, Expiry> = new Map<string, Expiry>([
  ['shadowExpire', daysSince1970],
  ['accountExpires', fileTime], // Active Directory
  ['pwdEndTime', generalizedTime], // ppolicy
  ['ds-pwp-account-expiration-time', generalizedTime], // OpenDJ, PingDirectory
  ['orclActiveEndDate', generalizedTime], // Oracle
  ['loginExpirationTime', generalizedTime], // eDirectory
  ['krbPrincipalExpiration', generalizedTime], // MIT Kerberos, FreeIPA
  ['krb5ValidEnd', generalizedTime], // Heimdal
  ['sambaKickoffTime', secondsSince1970],
  ['kickoffTime', secondsSince1970],
]);

/** Times at which the password alone expires. They count once they have passed: users cannot change a password here. */
const PASSWORD_EXPIRIES: ReadonlyMap<string, Expiry> = new Map<string, Expiry>([
  ['passwordExpirationTime', generalizedTime], // 389, Sun, eDirectory
  ['ds-pwp-password-expiration-time', generalizedTime],
  ['krbPasswordExpiration', generalizedTime],
  ['krb5PasswordEnd', generalizedTime],
  ['msDS-UserPasswordExpiryTimeComputed', fileTime],
]);

const READ = new Set(
  [LOCKS, EXPIRIES, PASSWORD_EXPIRIES].flatMap((rules) =>
    [...rules.keys()].map((name) => name.toLowerCase()),
  ),
);

const NO_VALUE = 'has a value that is not understood';

const LOCK_WORDS =
  /lock|account-?control|disab|enab|expir|activ|suspend|revok|terminat|status|valid|until|kickoff|reset|must-?change|(?:start|end)-?(?:time|date)/;

/** Adds a violation to the entry for each value that is invalid. */
export function lockOf(entry: DirectoryEntry, now: Date): DirectoryLock {
  const lockedBy = [...LOCKS].filter(([attribute, isLocked]) =>
    entry.valuesWithOptions(attribute).some((value) => {
      const locked = isLocked(value.trim(), now);
      if (locked === undefined) entry.addViolation(attribute, NO_VALUE);
      return locked;
    }),
  );
  const passwordExpiries = timesOf(entry, PASSWORD_EXPIRIES);
  const passed = passwordExpiries.filter((time) => time !== null && time <= now);
  return {
    lockedBy: lockedBy.map(([attribute]) => attribute),
    expires: earliest([...timesOf(entry, EXPIRIES), ...passed]),
    unread: [...entry.names()]
      .filter(([name]) => !READ.has(name) && LOCK_WORDS.test(name))
      .map(([, written]) => written),
  };
}

function timesOf(
  entry: DirectoryEntry,
  rules: ReadonlyMap<string, Expiry>,
): ReadonlyArray<Date | null> {
  return [...rules].flatMap(([attribute, read]) =>
    entry.valuesWithOptions(attribute).flatMap((value) => {
      const time = read(value.trim());
      if (time === undefined) entry.addViolation(attribute, NO_VALUE);
      return time ?? (time === null ? [null] : []);
    }),
  );
}

function earliest(times: ReadonlyArray<Date | null>): string | null | undefined {
  if (times.length === 0) return undefined;
  const [first] = times.filter((time) => time !== null).toSorted((a, b) => Number(a) - Number(b));
  return first?.toISOString().replace('T00:00:00.000Z', '') ?? null;
}
