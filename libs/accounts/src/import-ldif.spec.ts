import { describe, expect, test } from '@jest/globals';
import { readLdif, type LdifOptions } from './import-ldif.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Reads one entry of these lines. */
const read = (lines: readonly string[], options: LdifOptions = {}) =>
  readLdif(['dn: uid=a,dc=example', ...lines].join('\n'), options);
const person = (...lines: readonly string[]) => read(['objectClass: person', 'uid: a', ...lines]);

describe('an entry that is not a person is skipped, with its line', () => {
  test.each([
    ['a unit', ['objectClass: top', 'objectClass: organizationalUnit', 'ou: people', 'uid: x']],
    ['a group', ['objectClass: groupOfNames', 'cn: staff', 'member: uid=a']],
    ['a server with a password', ['objectClass: simpleSecurityObject', 'userPassword: x']],
    ['a machine', ['objectClass: person', 'objectClass: user', 'objectClass: Computer', 'uid: x']],
    ['what has neither class nor name', ['cn: x']],
  ])('%s', (_what, lines) => {
    expect(read(lines)).toEqual({
      entries: [],
      violations: [],
      skipped: [{ position: 'line 1', reason: 'is not a person' }],
    });
  });
});

describe('a person is a violation', () => {
  test.each<[string, readonly string[], object]>([
    ['without name', ['objectClass: person'], { position: 'line 1', field: 'name' }],
    ['with two names', ['uid: a', 'uid: b'], { position: 'line 1', field: 'uid' }],
    [
      'with two passwords',
      ['uid: a', 'userPassword: x', 'userPassword: y'],
      { field: 'userPassword' },
    ],
    ['with a password of bytes', ['uid: a', 'userPassword:: /9j/4A=='], { position: 'line 3' }],
    ['with a mail of bytes', ['uid: a', 'mail:: /9j/4A=='], { position: 'line 3', field: 'mail' }],
    ['with an odd expiry', ['uid: a', 'shadowExpire: soon'], { field: 'shadowExpire' }],
    [
      'with an expiry beyond all years',
      ['uid: a', 'shadowExpire: 9999999'],
      { field: 'shadowExpire' },
    ],
  ])('%s', (_what, lines, violation) => {
    const { entries, violations } = read(lines);
    expect(entries).toEqual([]);
    expect(violations).toEqual([expect.objectContaining(violation)]);
  });

  test('is refused altogether with an option to import an attribute of passwords', () => {
    for (const name of ['userPassword', 'unicodePwd', 'ipaNTHash', 'krb5Key']) {
      expect(() => read(['uid: a'], { attributes: ['mail', name] })).toThrow(
        expect.objectContaining({ code: 'ACCOUNT_INVALID' }),
      );
    }
  });
});

describe('a person', () => {
  test.each(['person', 'inetOrgPerson', 'POSIXACCOUNT', 'account', 'user'])(
    'may be of the class %s',
    (name) => {
      expect(read([`objectclass: ${name}`, 'UID: a']).entries).toMatchObject([{ name: 'a' }]);
    },
  );

  test('may have another attribute for a name', () => {
    const options = { nameAttribute: 'sAMAccountName' };
    expect(read(['samaccountname: b', 'uid: a'], options).entries).toMatchObject([{ name: 'b' }]);
  });

  test.each([
    ['a hash of the directory', 'userPassword: {SSHA}x', { passwordHash: '{SSHA}x' }],
    [
      'a hash in Base64',
      `userPassword:: ${base64('{CRYPT}$6$x')}`,
      { passwordHash: '{CRYPT}$6$x' },
    ],
    ['a hash without scheme', 'userPassword: $6$x', { passwordHash: '$6$x' }],
    ['a password', 'userpassword: Mellon', { password: 'Mellon' }],
    ['a password with braces inside', 'userPassword: a{b}', { password: 'a{b}' }],
    ['a password said to be one', 'userPassword: {cleartext}{x}', { password: '{x}' }],
    ['an empty password', 'userPassword:', {}],
    ['none', 'cn: a', {}],
  ])('may have %s', (_what, line, expected) => {
    const [entry] = person(line).entries;
    const { password, passwordHash } = entry ?? {};
    expect({ password, passwordHash }).toEqual({
      password: undefined,
      passwordHash: undefined,
      ...expected,
    });
  });

  test.each([
    ['nsAccountLock: TRUE', true],
    ['nsAccountLock: false', undefined],
    ['loginDisabled: true', true],
    ['pwdAccountLockedTime: 000001010000Z', true],
    ['cn: x', undefined],
  ])('with %s is disabled: %p', (line, disabled) => {
    expect(person(line).entries[0]?.disabled).toBe(disabled);
  });

  test.each([
    ['shadowExpire: 20999', '2027-06-30'],
    ['shadowExpire: 0', '1970-01-01'],
    ['shadowExpire: -1', null],
    ['cn: x', undefined],
  ])('with %s expires: %p', (line, expires) => {
    expect(person(line).entries[0]?.expires).toBe(expires);
  });
});

describe('attributes', () => {
  const lines = [
    'CN: Alice',
    `cn:: ${base64('Alice L\u00fcdde')}`,
    'cn;lang-de: Alicia',
    'mail: a@example.org',
    'memberOf: cn=staff',
    'memberOf: cn=admin',
    'uidNumber: 1000',
    'sambaNTPassword: 0123456789ABCDEF',
    'pwdHistory: x',
    'jpegPhoto:: /9j/4A==',
    'entryUUID: 1',
  ];

  test('are those of a person, by their own names, without credentials', () => {
    expect(person(...lines).entries[0]?.attributes).toEqual({
      cn: ['Alice', 'Alice L\u00fcdde'],
      mail: ['a@example.org'],
      memberOf: ['cn=staff', 'cn=admin'],
    });
  });

  test('are the chosen ones, in the spelling of the option', () => {
    const attributes = ['UidNumber', 'MAIL', 'missing'];
    expect(read(['uid: a', ...lines], { attributes }).entries[0]?.attributes).toEqual({
      UidNumber: ['1000'],
      MAIL: ['a@example.org'],
    });
  });
});
