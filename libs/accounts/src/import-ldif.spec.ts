import { describe, expect, test } from '@jest/globals';
import { readLdif, type LdifOptions } from './import-ldif.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Reads one entry of these lines. */
const read = (lines: readonly string[], options: LdifOptions = {}) =>
  readLdif(['dn: uid=a,dc=example', ...lines].join('\n'), options, NOW);
const NOW = new Date('2026-01-01T00:00:00Z');
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
      notes: [],
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
    ['with an odd time', ['uid: a', 'pwdEndTime: 20201301000000Z'], { field: 'pwdEndTime' }],
    ['with a time without zone', ['uid: a', 'pwdEndTime: 20200101000000'], { field: 'pwdEndTime' }],
    ['with odd flags', ['uid: a', 'userAccountControl: x'], { field: 'userAccountControl' }],
    ['with a lock of bytes', ['uid: a', 'nsAccountLock:: /9j/4A=='], { field: 'nsAccountLock' }],
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
    ['the mark of a locked account', 'userPassword: *LK*', { passwordHash: '*LK*' }],
    ['another mark', 'userPassword: !!', { passwordHash: '!!' }],
    ['a password that begins like a mark', 'userPassword: !ok*', { password: '!ok*' }],
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
    ['nsAccountLock: TRUE', 'nsAccountLock: false'],
    ['nsAccountLock;vucsn-5a00: true', 'nsAccountLock;vucsn-5a00: false'],
    ['inetUserStatus: inactive', 'inetUserStatus: Active'],
    ['inetUserStatus: deleted', 'inetUserStatus:'],
    ['accountStatus: noaccess', 'accountStatus: active'],
    ['accountUnlockTime: 20260101000001Z', 'accountUnlockTime: 20251231000000Z'],
    ['accountUnlockTime: 19700101000000Z', 'cn: x'],
    ['nsRoleDN: cn=nsManagedDisabledRole,dc=example', 'nsRoleDN: cn=staff,dc=example'],
    ['ds-pwp-account-disabled: true', 'ds-pwp-account-disabled: false'],
    ['loginDisabled: true', 'loginDisabled: FALSE'],
    ['lockedByIntruder: TRUE', 'lockedByIntruder: FALSE'],
    ['orclIsEnabled: DISABLED', 'orclIsEnabled: ENABLED'],
    ['ibm-pwdAccountLocked: true', 'ibm-pwdAccountLocked: false'],
    ['secAcctValid: FALSE', 'secAcctValid: TRUE'],
    ['pwdAccountLockedTime: 000001010000Z', 'cn: x'],
    ['pwdReset: TRUE', 'pwdReset: FALSE'],
    ['userAccountControl: 514', 'userAccountControl: 512'],
    ['userAccountControl: 66050', 'userAccountControl: 66048'],
    ['msDS-User-Account-Control-Computed: 8388608', 'msDS-User-Account-Control-Computed: 0'],
    ['lockoutTime: 132223104000000000', 'lockoutTime: 0'],
    ['msDS-UserAccountDisabled: TRUE', 'msDS-UserAccountDisabled: FALSE'],
    ['pwdLastSet: 0', 'pwdLastSet: 132223104000000000'],
    ['krbTicketFlags: 192', 'krbTicketFlags: 128'],
    ['krb5KDCFlags: 254', 'krb5KDCFlags: 126'],
    ['sambaAcctFlags: [UD         ]', 'sambaAcctFlags: [U          ]'],
    ['sambaAcctFlags: [UXL        ]', 'sambaAcctFlags: [UX         ]'],
    ['pwdStartTime: 20270101000000Z', 'pwdStartTime: 20200101000000Z'],
    ['userPassword: !{SSHA}x', 'userPassword: !x{SSHA}'],
  ])('with %s is disabled, but not with %s', (locked, open) => {
    expect(person(locked).entries[0]?.disabled).toBe(true);
    expect(person(open)).toMatchObject({ entries: [{ disabled: undefined }], notes: [] });
  });

  test.each([
    ['shadowExpire: 20999', '2027-06-30'],
    ['shadowExpire: 0', '1970-01-01'],
    ['shadowExpire: -1', null],
    ['accountExpires: 132223104000000000', '2020-01-01'],
    ['accountExpires: 0', null],
    ['accountExpires: 9223372036854775807', null],
    ['pwdEndTime: 20200101000000Z', '2020-01-01'],
    ['pwdEndTime: 2027063018Z', '2027-06-30T18:00:00.000Z'],
    ['pwdEndTime: 20270630183000.5+0230', '2027-06-30T16:00:00.000Z'],
    ['ds-pwp-account-expiration-time: 20200101000000Z', '2020-01-01'],
    ['orclActiveEndDate: 20200101000000z', '2020-01-01'],
    ['loginExpirationTime: 20200101000000Z', '2020-01-01'],
    ['krbPrincipalExpiration: 20200101000000Z', '2020-01-01'],
    ['krb5ValidEnd: 20200101000000Z', '2020-01-01'],
    ['sambaKickoffTime: 1577836800', '2020-01-01'],
    ['sambaKickoffTime: 0', null],
    ['passwordExpirationTime: 20200101000000Z', '2020-01-01'],
    ['krbPasswordExpiration: 20270101000000Z', undefined],
    ['cn: x', undefined],
  ])('with %s expires: %p', (line, expires) => {
    expect(person(line).entries[0]?.expires).toBe(expires);
  });

  test('with several expiries expires at the first', () => {
    const lines = [
      'shadowExpire: -1',
      'accountExpires: 132223104000000000',
      'pwdEndTime: 2019010100Z',
    ];
    expect(person(...lines).entries[0]?.expires).toBe('2019-01-01');
  });

  test('is noted, once for each attribute that locks it, or that may and is not read', () => {
    const lines = [
      'uid: a',
      'nsAccountLock: true',
      'acmeAccountLocked: TRUE',
      'obUserAccountControl: DEACTIVATED',
      'shadowInactive: 7',
    ];
    const text = [1, 2].map((n) => [`dn: uid=${n}`, ...lines, ''].join('\n')).join('\n');
    const unread = 'suggests a lock or an expiry, and is not read (2 entries)';
    expect(readLdif(text, { attributes: ['shadowinactive'] }, NOW).notes).toEqual([
      { position: 'line 1', field: 'nsAccountLock', reason: 'disables the account (2 entries)' },
      { position: 'line 1', field: 'acmeAccountLocked', reason: unread },
      { position: 'line 1', field: 'obUserAccountControl', reason: unread },
    ]);
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
