// Account states in a directory with a password policy.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { optionsFor, PASSWORD, PASSWORD_POLICY } from '../../../test/support/ldap-people.js';
import { describeWithSlapd, Slapd } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';

let slapd: Slapd;
let directory: LdapDirectory;

describeWithSlapd('an account', () => {
  beforeAll(async () => {
    slapd = await Slapd.start(PASSWORD_POLICY);
    directory = await LdapDirectory.open(optionsFor([slapd.url]));
  });
  afterAll(async () => {
    directory.close();
    await slapd.remove();
  });

  test.each([
    ['locked', 'account locked'],
    ['expired', 'password expired'],
    ['reset', 'password must change'], // the server lets it change its password and do nothing else
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
