// Users in the test directories, and client options that find them.
import type { LdapOptions, SearchedUsers } from '@tessera/ldap';
import { BASE, PEOPLE, SERVICE_ACCOUNT, type Entry, type SlapdOptions } from './slapd.js';

export const PASSWORD = 'Mellon \u{1f5dd} pass=w,rt';

/** An entry whose DN contains the user name. */
export function person(uid: string, more: Partial<Entry> = {}): Entry {
  return {
    dn: `uid=${escapeEveryByte(uid)},${PEOPLE}`,
    objectClass: ['inetOrgPerson', 'extensibleObject'],
    uid,
    cn: uid,
    sn: 'Person',
    userPassword: PASSWORD,
    ...more,
  };
}

export const SEARCHED: SearchedUsers = {
  base: BASE,
  scope: 'sub',
  filter: '(uid={username})',
  account: SERVICE_ACCOUNT,
};

export const NAMED = { dn: `uid={username},${PEOPLE}` };

/** Timeouts are short, so that tests of them are fast. */
export function optionsFor(urls: readonly string[], more: Partial<LdapOptions> = {}): LdapOptions {
  return {
    name: 'ldap',
    urls,
    startTls: false,
    users: SEARCHED,
    idAttribute: 'uid',
    attributes: { mail: 'mail', seeAlso: 'groups' },
    binaryAttributes: [],
    connectTimeout: 1_000,
    timeout: 2_000,
    retryInterval: 60_000,
    poolSize: 4,
    ...more,
  };
}

/** Escapes every byte as `\xx`, independently of the escaping under test. */
function escapeEveryByte(text: string): string {
  return Buffer.from(text)
    .toString('hex')
    .replaceAll(/../g, String.raw`\$&`);
}

const POLICY = `cn=policy,${BASE}`;
const GRACE = `cn=grace,${BASE}`;
const STRICT = `cn=strict,${BASE}`;
const LONG_AGO = '20200101000000Z';

/** A directory with a password policy: people whose passwords are good, end soon, have expired, or were reset, and a locked one. */
export const PASSWORD_POLICY: SlapdOptions = {
  entries: [
    {
      dn: POLICY,
      objectClass: ['organizationalRole', 'pwdPolicy'],
      cn: 'policy',
      pwdAttribute: 'userPassword',
      pwdLockout: 'TRUE',
      pwdMaxFailure: '2',
      pwdMustChange: 'TRUE',
      pwdMaxAge: '86400',
      pwdExpireWarning: '7200',
    },
    {
      dn: GRACE,
      objectClass: ['organizationalRole', 'pwdPolicy'],
      cn: 'grace',
      pwdAttribute: 'userPassword',
      pwdMaxAge: '86400',
      pwdGraceAuthNLimit: '10',
    },
    person('young', { pwdChangedTime: generalized(new Date()), pwdPolicySubentry: STRICT }),
    person('late', { pwdReset: 'TRUE', pwdPolicySubentry: STRICT }),
    person('strict', { pwdChangedTime: LONG_AGO, pwdPolicySubentry: STRICT }),
    person('good', { pwdChangedTime: generalized(new Date()) }),
    {
      dn: STRICT,
      objectClass: ['organizationalRole', 'pwdPolicy'],
      cn: 'strict',
      pwdAttribute: 'userPassword',
      pwdInHistory: '3',
      pwdMinLength: '20',
      pwdMinAge: '3600',
      pwdCheckQuality: '2',
      pwdAllowUserChange: 'TRUE',
      pwdMustChange: 'TRUE',
    },
    person('ending', { pwdChangedTime: generalized(new Date(Date.now() - 82_800_000)) }),
    person('grace', { pwdChangedTime: LONG_AGO, pwdPolicySubentry: GRACE }),
    person('guessed', { pwdChangedTime: generalized(new Date()) }),
    person('locked', { pwdAccountLockedTime: '000001010000Z' }),
    person('expired', { pwdChangedTime: LONG_AGO }),
    person('reset', { pwdChangedTime: generalized(new Date()), pwdReset: 'TRUE' }),
  ],
  global: 'moduleload ppolicy',
  database: `overlay ppolicy\nppolicy_default ${POLICY}\nppolicy_use_lockout`,
};

function generalized(time: Date): string {
  return `${time.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`;
}
