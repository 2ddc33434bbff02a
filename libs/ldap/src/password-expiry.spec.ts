// What a directory says about a password that it accepts: how long it may be used, or how often.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeLdapServer } from '../../../test/support/fake-ldap-server.js';
import {
  attribute,
  bindAnswer,
  controls,
  element,
  entry,
  integer,
  message,
  policyControl,
  searchDone,
  text,
} from '../../../test/support/ldap-messages.js';
import { NAMED, optionsFor, PASSWORD, PASSWORD_POLICY } from '../../../test/support/ldap-people.js';
import { describeWithSlapd, Slapd } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';

const EXPIRED = '2.16.840.1.113730.3.4.4';
const EXPIRING = '2.16.840.1.113730.3.4.5';
const netscape = (type: string, value: string): Buffer => element(0x30, text(type), text(value));

describe('the answer of a server', () => {
  let server: FakeLdapServer;
  let directory: LdapDirectory;
  beforeAll(async () => {
    server = await FakeLdapServer.start();
    const passwordExpiryAttribute = 'msDS-UserPasswordExpiryTimeComputed';
    const users = { base: 'dc=example', scope: 'sub', filter: '(uid={username})' } as const;
    directory = await LdapDirectory.open(
      optionsFor([server.url], { users, passwordExpiryAttribute, poolSize: 1 }),
    );
  });
  beforeEach(() => server.reset());
  afterAll(() => {
    directory.close();
    server.close();
  });

  const login = (code: number, ...each: readonly Buffer[]) => {
    server.onBind = (id) => message(id, bindAnswer(code), controls(...each));
    return directory.authenticate('alice', PASSWORD);
  };

  test.each([
    ['nothing', [], undefined],
    ['an empty policy', [policyControl()], undefined],
    ['a warning', [policyControl(element(0xa0, integer(0x80, 0, 255)))], { expiresIn: 255 }],
    ['grace logins', [policyControl(element(0xa0, integer(0x81, 3)))], { graceLogins: 3 }],
    ['no grace login', [policyControl(element(0xa0, integer(0x81, 0)))], { graceLogins: 0 }],
    ['Netscape\u2019s warning', [netscape(EXPIRING, '86400')], { expiresIn: 86_400 }],
    ['Netscape\u2019s warning of no number', [netscape(EXPIRING, 'soon')], undefined],
    ['Netscape\u2019s warning of nothing', [netscape(EXPIRING, '')], undefined],
    ['Netscape\u2019s warning of ages', [netscape(EXPIRING, '9'.repeat(40))], undefined],
    [
      'both warnings',
      [netscape(EXPIRING, '7'), policyControl(element(0xa0, integer(0x80, 9)))],
      { expiresIn: 9 },
    ],
    [
      'a grace login, and Netscape\u2019s control of an expired password',
      [netscape(EXPIRED, '0'), policyControl(element(0xa0, integer(0x81, 2)))],
      { graceLogins: 2 },
    ],
    ['an unknown control', [netscape('1.2.3', '7')], undefined],
  ])('that accepts with %s says %j', async (_what, given, password) => {
    const verdict = await login(0, ...given);
    expect(verdict.accepted?.id).toBe('alice');
    expect(verdict).toEqual({ accepted: expect.anything(), ...(password && { password }) });
  });

  test.each([
    ['refuses', 49, 'password expired'],
    ['accepts', 0, 'password must change'],
  ])(
    'that %s with Netscape\u2019s control of an expired password: %s',
    async (_what, code, refused) => {
      expect(await login(code, netscape(EXPIRED, '0'))).toEqual({ refused });
    },
  );

  test('has the value of the attribute that is named, and no service gets it', async () => {
    const time = '133500000000000000';
    const alice = entry(
      'uid=alice',
      attribute('uid', 'alice'),
      attribute('MSDS-UserPasswordExpiryTimeComputed', time),
    );
    server.onSearch = (id) => Buffer.concat([message(id, alice), message(id, searchDone())]);
    expect(await login(0)).toEqual({
      accepted: { id: 'alice', attributes: {} },
      password: { expiry: time },
    });
    expect(server.received).toContain('msDS-UserPasswordExpiryTimeComputed');
  });

  test('is asked without the controls that only servers send', async () => {
    await login(0);
    expect(server.received).not.toContain('2.16.840');
  });
});

describeWithSlapd('a real password policy', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await Slapd.start(PASSWORD_POLICY);
  });
  afterAll(() => slapd.remove());

  test.each([
    ['by a search', {}],
    ['by a direct bind', { users: NAMED }],
  ])('tells %s when a password ends, and how many grace logins are left', async (_how, more) => {
    const directory = await LdapDirectory.open(optionsFor([slapd.url], more));
    expect((await directory.authenticate('good', PASSWORD)).password).toBeUndefined();
    const ending = await directory.authenticate('ending', PASSWORD);
    expect(ending.password).toEqual({ expiresIn: expect.any(Number) });
    expect(ending.password?.expiresIn).toBeGreaterThan(3_000);
    expect(ending.password?.expiresIn).toBeLessThanOrEqual(3_600);
    expect(await directory.authenticate('grace', PASSWORD)).toMatchObject({
      password: { graceLogins: expect.any(Number) },
    });
    expect(await directory.authenticate('ending', 'wrong')).toEqual({ refused: 'wrong password' });
    directory.close();
  });
});
