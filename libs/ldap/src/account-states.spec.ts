// Account states in a directory with a password policy.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { optionsFor, PASSWORD, person } from '../../../test/support/ldap-people.js';
import { BASE, describeWithSlapd, Slapd, type Entry } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';

const POLICY = `cn=policy,${BASE}`;
const LONG_AGO = '20200101000000Z';
const ENTRIES: readonly Entry[] = [
  {
    dn: POLICY,
    objectClass: ['organizationalRole', 'pwdPolicy'],
    cn: 'policy',
    pwdAttribute: 'userPassword',
    pwdLockout: 'TRUE',
    pwdMaxFailure: '2',
    pwdMustChange: 'TRUE',
    pwdMaxAge: '86400',
  },
  person('good', { pwdChangedTime: generalized(new Date()) }),
  person('guessed', { pwdChangedTime: generalized(new Date()) }),
  person('locked', { pwdAccountLockedTime: '000001010000Z' }),
  person('expired', { pwdChangedTime: LONG_AGO }),
  person('reset', { pwdChangedTime: generalized(new Date()), pwdReset: 'TRUE' }),
];

let slapd: Slapd;
let directory: LdapDirectory;

describeWithSlapd('an account', () => {
  beforeAll(async () => {
    slapd = await Slapd.start({
      entries: ENTRIES,
      global: 'moduleload ppolicy',
      database: `overlay ppolicy\nppolicy_default ${POLICY}\nppolicy_use_lockout`,
    });
    directory = await LdapDirectory.open(optionsFor([slapd.url]));
  });
  afterAll(async () => {
    directory.close();
    await slapd.remove();
  });

  test.each([
    ['locked', 'account locked'],
    ['expired', 'password expired'],
    ['reset', 'password expired'], // the server lets it change its password and do nothing else
  ])('that is %s is refused as such', async (name, refused) => {
    expect(await directory.authenticate(name, PASSWORD)).toEqual({ refused });
  });

  test('that is active is accepted', async () => {
    expect(await directory.authenticate('good', PASSWORD)).toHaveProperty('accepted.id', 'good');
  });

  test('is locked after the number of failures in the policy: no password is tried twice', async () => {
    for (const guess of ['one', 'two']) {
      expect(await directory.authenticate('guessed', guess)).toEqual({ refused: 'wrong password' });
    }
    expect(await directory.authenticate('guessed', PASSWORD)).toEqual({
      refused: 'account locked',
    });
  });
});

function generalized(time: Date): string {
  return `${time.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`;
}
