// Users who change their passwords in a directory.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeLdapServer } from '../../../test/support/fake-ldap-server.js';
import {
  bindAnswer,
  controls,
  element,
  integer,
  message,
  policyControl,
  text,
} from '../../../test/support/ldap-messages.js';
import { NAMED, optionsFor, PASSWORD, PASSWORD_POLICY } from '../../../test/support/ldap-people.js';
import { describeWithSlapd, PEOPLE, SERVICE_ACCOUNT, Slapd } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';
import type { LdapOptions } from './ldap-options.js';

const NEW = 'a new one, with \u{1f5dd} and "quotes"';
const SEARCHED = { base: 'dc=example', scope: 'sub', filter: '(uid={username})' } as const;

let directory: LdapDirectory;
afterEach(() => directory.close());

const change = (username: string, oldPassword = PASSWORD, newPassword = NEW) =>
  directory.changePassword({ username, oldPassword, newPassword });
const userRefused = (reason: string) => ({ outcome: 'user refused', reason });
const passwordRefused = (reason: string) => ({ outcome: 'password refused', reason });

describe('a server', () => {
  let server: FakeLdapServer;
  let changes: number;
  beforeAll(async () => {
    server = await FakeLdapServer.start();
  });
  beforeEach(() => {
    server.reset();
    changes = 0;
  });
  afterAll(() => server.close());

  const open = async (more: Partial<LdapOptions> = {}): Promise<void> => {
    directory = await LdapDirectory.open(
      optionsFor([server.url], {
        users: SEARCHED,
        passwordChange: 'rfc3062',
        poolSize: 1,
        ...more,
      }),
    );
  };
  /** @param operation 0x78 answers an extended operation, 0x67 a modification */
  const answers = (
    operation: number,
    code: number,
    said = '',
    ...more: readonly Buffer[]
  ): void => {
    server.onChange = (id) => {
      changes += 1;
      const content = [integer(0x0a, code), text(''), text(said)];
      return message(id, element(operation, ...content), ...more);
    };
  };
  const policy = (error: number): Buffer => controls(policyControl(integer(0x81, error)));

  test.each([
    [2, undefined, 'change not permitted'],
    [8, undefined, 'change not permitted'],
    [13, undefined, 'change not permitted'],
    [19, undefined, 'password not accepted'],
    [19, 3, 'change not permitted'],
    [19, 4, 'change not permitted'],
    [19, 5, 'password too weak'],
    [19, 6, 'password too short'],
    [19, 7, 'password too young'],
    [19, 8, 'password in history'],
    [49, undefined, 'wrong password'],
    [50, undefined, 'change not permitted'],
    [53, undefined, 'change not permitted'],
  ])('that answers %i with policy error %p refuses: %s', async (code, error, reason) => {
    await open();
    answers(0x78, code, 'said by the server', ...(error === undefined ? [] : [policy(error)]));
    expect(await change('alice')).toEqual(passwordRefused(reason));
  });

  test.each([
    ['00000056: AtrErr: DSID-03191083, #1', 'wrong password'],
    ['0000052D: Constraint violation', 'password not accepted'],
    ['0000052d: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM)', 'password not accepted'],
    ['0000001F: SvcErr: DSID-031A12D2, problem 5003', 'password not accepted'],
  ])('that answers as Active Directory with %s refuses: %s', async (said, reason) => {
    await open({ passwordChange: 'ad' });
    answers(0x67, 19, said);
    expect(await change('alice')).toEqual(passwordRefused(reason));
  });

  test('of Active Directory gets the old and the new value of unicodePwd, in quotes and UTF-16', async () => {
    await open({ passwordChange: 'ad' });
    server.received = '';
    answers(0x67, 0);
    expect(await change('alice', PASSWORD, 'new')).toEqual({ outcome: 'changed' });
    expect(server.received).toContain('unicodePwd');
    for (const password of [PASSWORD, 'new']) {
      const value = Buffer.from(`"${password}"`, 'utf16le').toString('latin1');
      expect(server.received).toContain(value);
    }
  });

  test.each([
    ['is busy', 51, 'LDAP_UNAVAILABLE'],
    ['fails', 1, 'LDAP_REFUSED'],
  ])('that %s has changed nothing: the call fails', async (_what, code, error) => {
    await open();
    answers(0x78, code);
    await expect(change('alice')).rejects.toMatchObject({ code: error });
  });

  test.each([
    ['is lost', () => undefined],
    ['answers with another message', () => bindAnswer(0)],
    ['answers with no LDAP', () => Buffer.from('HTTP/1.1 400')],
  ])(
    'that %s after the request may have changed it, and is not asked again',
    async (what, reply) => {
      await open({ urls: [server.url, server.url] });
      server.onChange = (id, socket) => {
        changes += 1;
        if (what === 'is lost') socket?.destroy();
        const answer = reply();
        return answer === undefined ? Buffer.alloc(0) : message(id, answer);
      };
      // The second login uses a pooled connection, whose loss makes a login run again.
      await directory.authenticate('alice', PASSWORD);
      expect(await change('alice')).toMatchObject({
        outcome: 'unknown',
        error: { code: 'LDAP_UNAVAILABLE' },
      });
      expect(changes).toBe(1);
    },
  );

  test('that is lost before the request has changed nothing: the call fails', async () => {
    await open();
    server.onBind = (_id, socket) => {
      socket?.destroy();
      return Buffer.alloc(0);
    };
    await expect(change('alice')).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
    expect(changes).toBe(0);
  });

  test.each([
    ['an empty new password', PASSWORD, '', passwordRefused('password not accepted')],
    ['a NUL in the new password', PASSWORD, 'a\0b', passwordRefused('password not accepted')],
    ['a long new password', PASSWORD, 'x'.repeat(1_025), passwordRefused('password not accepted')],
    ['an empty old password', '', NEW, userRefused('wrong password')],
  ])('is not asked for %s', async (_what, oldPassword, newPassword, verdict) => {
    await open();
    server.received = '';
    expect(await change('alice', oldPassword, newPassword)).toEqual(verdict);
    expect(server.received).toBe('');
  });

  test('without the setting gets no request', async () => {
    await open({ passwordChange: undefined });
    expect(await change('alice')).toEqual(passwordRefused('change not permitted'));
    expect(changes).toBe(0);
  });

  test('that refuses an expired password is not asked without an account that searches', async () => {
    await open();
    server.onBind = (id) => message(id, bindAnswer(49), policy(0));
    expect(await change('alice')).toEqual(passwordRefused('change not permitted'));
    expect(changes).toBe(0);
  });
});

describeWithSlapd('a password policy', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    const passwords = `by self write by dn.exact="${SERVICE_ACCOUNT.dn}" write`;
    slapd = await Slapd.start({ ...PASSWORD_POLICY, passwords });
  });
  beforeEach(async () => {
    directory = await LdapDirectory.open(optionsFor([slapd.url], { passwordChange: 'rfc3062' }));
  });
  afterAll(() => slapd.remove());

  test.each([
    ['nobody', PASSWORD, NEW, userRefused('unknown user')],
    ['good', 'wrong', NEW, userRefused('wrong password')],
    ['locked', PASSWORD, NEW, userRefused('account locked')],
    ['strict', PASSWORD, 'short', passwordRefused('password too short')],
    ['young', PASSWORD, NEW, passwordRefused('password too young')],
    ['strict', PASSWORD, PASSWORD, passwordRefused('password in history')],
  ])('refuses %s with %j and %j', async (name, oldPassword, newPassword, verdict) => {
    expect(await change(name, oldPassword, newPassword)).toEqual(verdict);
  });

  test.each(['ending', 'expired', 'reset', 'grace'])(
    'takes a new password of the user %s, who logs in with it',
    async (name) => {
      expect(await change(name)).toEqual({ outcome: 'changed' });
      expect(await directory.authenticate(name, NEW)).toHaveProperty('accepted.id', name);
      expect((await directory.authenticate(name, PASSWORD)).refused).toBe('wrong password');
    },
  );

  test('lets users change it whose names are made by a template', async () => {
    const named = { passwordChange: 'rfc3062', users: NAMED } as const;
    directory.close();
    directory = await LdapDirectory.open(optionsFor([slapd.url], named));
    expect(await change('good')).toEqual({ outcome: 'changed' });
    expect(await directory.authenticate('good', NEW)).toHaveProperty('accepted.id', 'good');
    await slapd.changePassword(`uid=good,${PEOPLE}`, PASSWORD);
  });
});

describeWithSlapd('a directory that lets nobody write passwords', () => {
  test('refuses the change, and the password stays', async () => {
    const slapd = await Slapd.start(PASSWORD_POLICY);
    directory = await LdapDirectory.open(optionsFor([slapd.url], { passwordChange: 'rfc3062' }));
    for (const name of ['ending', 'expired']) {
      expect(await change(name)).toEqual(passwordRefused('change not permitted'));
    }
    expect(await directory.authenticate('ending', PASSWORD)).toHaveProperty('accepted');
    await slapd.remove();
  });
});
