import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithSlapd, PEOPLE, Slapd } from '../../../../test/support/slapd.js';
import { LdapSettings } from '../settings/ldap-settings.js';
import {
  CONFORMANCE_USER,
  conformsToAuthenticationHandler,
  credentialOf,
} from './authentication-handler.conformance.js';
import { LdapHandler } from './ldap-handler.js';

const { name, password } = CONFORMANCE_USER;
const KNOWN = { mail: ['j@example.org'], memberOf: ['staff', 'admin'] };

const entryOf = (uid: string, expiry?: string) => ({
  dn: `cn=${uid.length}${uid.charCodeAt(0)},${PEOPLE}`,
  objectClass: ['inetOrgPerson'],
  cn: `${uid.length}${uid.charCodeAt(0)}`,
  uid,
  sn: 'Person',
  userPassword: password,
  mail: KNOWN.mail,
  departmentNumber: KNOWN.memberOf,
  ...(expiry && { description: expiry }),
});

const EXPIRIES = [
  ['a time', '20270630180000Z', new Date('2027-06-30T18:00:00Z')],
  ['a time of Active Directory', '134272512000000000', new Date('2026-06-30T00:00:00Z')],
  ['never, in Active Directory', '9223372036854775807', undefined],
  ['0', '0', undefined],
  ['no time', 'soon', undefined],
] as const;

const settingsOf = (given: Partial<LdapSettings>) =>
  Object.assign(new LdapSettings(), {
    baseDn: PEOPLE,
    attributes: { mail: 'mail', departmentNumber: 'memberOf' },
    ...given,
  });

describe('the ldap handler', () => {
  test('fails, and refuses nobody, while the directory is unavailable', async () => {
    const handler = await LdapHandler.open(settingsOf({ urls: ['ldap://127.0.0.1:1'] }));
    await expect(handler.authenticate(credentialOf(name, password))).rejects.toMatchObject({
      code: 'LDAP_UNAVAILABLE',
      isTemporary: true,
    });
  });

  test.each([
    ['.*', 'anybody', true],
    ['[a-z]+@example\\.org', 'ann@example.org', true],
    ['[a-z]+@example\\.org', 'Ann@example.org', false],
    ['(?i)[a-z]+@example\\.org', 'Ann@EXAMPLE.org', true],
    ['[a-z]+@example\\.org', 'ann@example.org.example.net', false],
    ['ann', 'ann, cn=admin', false],
    ['Zo\u00eb', 'Zoe\u0308', true],
    // Nobody has such a name: it is refused, as by every handler.
    ['ann', 'a\0', true],
    ['ann', '', true],
    ['ann', '\u0301\u0323'.repeat(16_384), true],
  ])('with the pattern %j is asked for %j: %p', async (namePattern, username, isAsked) => {
    const handler = await LdapHandler.open(settingsOf({ urls: [], namePattern }));
    expect(handler.supports(credentialOf(username, password))).toBe(isAsked);
  });

  test('has the name of its directory', async () => {
    const settings = Object.assign(new LdapSettings('staff'), { urls: ['ldap://127.0.0.1:1'] });
    const handler = await LdapHandler.open(settings);
    expect([handler.name, handler.isUnavailable]).toEqual(['staff', false]);
    await expect(handler.authenticate(credentialOf(name, password))).rejects.toThrow();
    expect(handler.isUnavailable).toBe(true);
  });

  test('is for user names with passwords alone', async () => {
    const handler = await LdapHandler.open(settingsOf({ urls: [] }));
    const certificate = new Uint8Array();
    const type = 'X509CertificateCredential';
    const presented = { type, certificate, source: 'tls', presentedBy: '127.0.0.1' } as const;
    expect(handler.supports(presented)).toBe(false);
  });
});

describeWithSlapd('the ldap handler', () => {
  const decomposed = 'Zoe\u0308';
  let slapd: Slapd;
  let handler: LdapHandler;
  beforeAll(async () => {
    const entries = [
      ...[name, 'casuser', decomposed, 'b\u0085'].map((uid) => entryOf(uid)),
      ...EXPIRIES.map(([, value], index) => entryOf(`expiry${'x'.repeat(index + 20)}`, value)),
    ];
    slapd = await Slapd.start({ entries, readers: 'by anonymous read' });
    handler = await LdapHandler.open(settingsOf({ urls: [slapd.url] }));
  });
  afterAll(async () => {
    await handler.close();
    await slapd.remove();
  });

  // A directory compares names without regard to case, and holds no empty value.
  conformsToAuthenticationHandler(() => handler, { attributes: KNOWN, ignoresCase: true });

  test('spells the id as accounts are spelled, also where the directory does not', async () => {
    const { accepted } = await handler.authenticate(credentialOf(decomposed, password));
    expect(accepted?.id).toBe(decomposed.normalize('NFC'));
  });

  test.each(EXPIRIES.map(([what, , expiresAt], index) => [what, expiresAt, index] as const))(
    'reads %s in the attribute of the end of the password as %p',
    async (_what, expiresAt, index) => {
      const users = settingsOf({ urls: [slapd.url], passwordExpiry: 'description' });
      const other = await LdapHandler.open(users);
      const verdict = await other.authenticate(
        credentialOf(`expiry${'x'.repeat(index + 20)}`, password),
      );
      expect(verdict.accepted).toBeDefined();
      expect(verdict).toHaveProperty(
        'passwordExpiry',
        expiresAt && { expiresAt, mayChange: false, graceLogins: undefined },
      );
      await other.close();
    },
  );

  test('refuses an id that no account could have', async () => {
    const users = settingsOf({ urls: [slapd.url], filter: '(cn={username})', idAttribute: 'uid' });
    const other = await LdapHandler.open(users);
    expect(await other.authenticate(credentialOf('298', password))).toEqual({
      refused: 'no usable id',
    });
    await other.close();
  });
});
