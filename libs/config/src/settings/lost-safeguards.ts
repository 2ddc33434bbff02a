// Settings of Apereo CAS that make logins stricter. Tessera would ignore them, so they are violations.
import type { SettingKeys } from './setting-keys.js';
import { leavesOf, type RawEntry } from './raw-value.js';
import type { ReportedViolation } from './violation.js';

interface Safeguard {
  /** A prefix of keys. */
  readonly key: string;
  /** Continues the key. */
  readonly meaning: string;
  /** The only value that makes logins stricter. By default all do but `false` and an empty one. */
  readonly only?: string;
}

const LOGIN_RULE = 'limits who may log in, from where, or when';
const LIMIT = 'limits failed logins';
const FACTOR = 'asks for a second factor';
const SSO_RULE = 'limits single sign-on';

/** @see docs/migration.md, which lists them */
export const SAFEGUARDS: readonly Safeguard[] = [
  { key: 'cas.authn.mfa', meaning: FACTOR },
  { key: 'cas.mfa', meaning: FACTOR },
  { key: 'cas.authn.adaptive', meaning: LOGIN_RULE },
  { key: 'cas.authn.reject', meaning: 'lists users who may not log in' },
  { key: 'cas.authn.throttle', meaning: LIMIT },
  { key: 'cas.throttle', meaning: LIMIT },
  { key: 'cas.authn.policy', meaning: 'demands more of a login than one handler that accepts it' },
  ...['accept', 'ldap'].flatMap((handler) =>
    ['password-policy', 'credential-criteria', 'principal-transformation.blocking-pattern'].map(
      (rule) => ({ key: `cas.authn.${handler}.${rule}`, meaning: LOGIN_RULE }),
    ),
  ),
  { key: 'cas.access-strategy', meaning: LOGIN_RULE },
  { key: 'cas.acceptable-usage-policy', meaning: 'demands consent before a login' },
  { key: 'cas.consent', meaning: 'demands consent before attributes are released' },
  { key: 'cas.interrupt', meaning: 'can stop a login' },
  { key: 'cas.google-recaptcha', meaning: 'keeps programs from the login form' },
  { key: 'cas.recaptcha', meaning: 'keeps programs from the login form' },
  { key: 'cas.sso.required-service-pattern', meaning: SSO_RULE },
  { key: 'cas.sso.services.required-service-pattern', meaning: SSO_RULE },
  { key: 'cas.sso.sso-enabled', meaning: SSO_RULE, only: 'false' },
  { key: 'cas.sso.proxy-authn-enabled', meaning: 'forbids proxy tickets', only: 'false' },
];

/** What the policy demands is what happens here. */
const SAME_HERE = ['cas.authn.policy.any'];

/** The settings in an entry, or the variable, that make logins stricter; in the settings of logins only. */
export function lostSafeguards(entry: RawEntry, settingKeys: SettingKeys): ReportedViolation[] {
  if (!/^cas[._]/i.test(entry.key) || settingKeys.find('sso.base-url') === undefined) return [];
  return leavesOf(entry).flatMap(({ key, value: { content, origin } }) => {
    const found = SAFEGUARDS.find((each) => isBelow(key, each.key));
    const value = typeof content === 'string' ? content.trim().toLowerCase() : '';
    const isStricter =
      found?.only === undefined ? !['', 'false'].includes(value) : value === found.only;
    if (!found || !isStricter || SAME_HERE.some((each) => isBelow(key, each))) return [];
    const instead = settingKeys.migrationHint(found.key)?.instead;
    const cure =
      instead === undefined
        ? 'which Tessera does not do: delete it to accept logins without that'
        : `and is not read here: set ${instead} instead, and delete it`;
    return [{ key, message: `${found.meaning}, ${cure}`, origin }];
  });
}

/** In every spelling, also of variables, and for each element of a list. */
function isBelow(key: string, prefix: string): boolean {
  return lettersOf(key).startsWith(lettersOf(prefix));
}

function lettersOf(key: string): string {
  return key.replaceAll(/\[[^\]]*\]|[^a-z]/gi, '').toLowerCase();
}
