import { describe, expect, test } from '@jest/globals';
import {
  comparedAttribute,
  dnFault,
  dnTemplateFault,
  filterFault,
  namingAttribute,
  templateOf,
} from './ldap-templates.js';

describe('a filter is refused', () => {
  const notOne = 'must be an LDAP filter such as (uid={username})';
  const noPlace = 'must hold {username}, the place of the user name';
  const wide = 'must compare {username} by = and without *, or it finds other users';
  test.each([
    ['that is empty', '', notOne],
    ['without parentheses', 'uid={username}', notOne],
    ['that is not closed', '(uid={username}', notOne],
    ['that closes too often', '(uid={username}))', notOne],
    ['of two', '(uid={username})(cn={username})', notOne],
    ['without an attribute', '(={username})', notOne],
    ['without a comparison', '({username})', notOne],
    ['that joins nothing', '(&)', notOne],
    ['that denies two', '(!(uid={username})(cn=a))', notOne],
    ['with an escape that is none', String.raw`(&(uid={username})(cn=\zz))`, notOne],
    ['with bytes of a letter as escapes', String.raw`(&(uid={username})(cn=\c3\bc))`, notOne],
    ['with a NUL in place of a comparison', '(&\0(uid={username}))', notOne],
    ['without a place for the name', '(uid=alice)', noPlace],
    ['with the name as the attribute', '({username}=alice)', notOne],
    ['with the place as others write it', '(uid={user})', noPlace],
    ['that completes the name', '(uid={username}*)', wide],
    ['that compares by order', '(uid>={username})', wide],
    ['that compares by sound', '(|(uid={username})(cn~={username}))', wide],
  ])('%s', (_what, template, fault) => {
    expect(filterFault(template)).toBe(fault);
  });

  test.each([
    ['(uid={username})', 'uid'],
    ['(&(objectClass=person)(Uid={username}))', 'uid'],
    ['(|(uid={username})(mail={username}))', undefined],
    ['(|(uid={username})(UID={username}))', 'uid'],
    ['(mail={username}@example.org)', undefined],
    [
      '(&(sAMAccountName={username})(cn=*)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
      'samaccountname',
    ],
    [String.raw`(&(uid={username})(ou=R\28D\29 Zürich*))`, 'uid'],
  ])('but not %s, which compares the name with %s alone', (template, attribute) => {
    expect(filterFault(template)).toBeUndefined();
    expect(comparedAttribute(template)).toBe(attribute);
  });
});

describe('the name of users’ entries', () => {
  test.each([
    ['empty', ''],
    ['without a place for the name', 'uid=alice,dc=org'],
    ['of the name alone', '{username}'],
    ['of a mechanism', 'EXTERNAL'],
    ['of an address', '{username}@example.org'],
    ['with two places', 'uid={username},ou={username},dc=org'],
    ['with a part of a value as the place', 'uid=u-{username},dc=org'],
    ['with the place in quotes', 'uid="{username}",dc=org'],
    ['with an end that is no name', 'uid={username},dc'],
    ['with an empty part', 'uid={username},,dc=org'],
  ])('is refused %s', (_what, template) => {
    expect(dnTemplateFault(template)).toMatch(/^must be a distinguished name such as uid=/);
  });

  test.each([
    ['uid={username},ou=people,dc=example,dc=org', 'uid'],
    ['ou=people,CN={username}, dc=org', 'cn'],
    ['uid={username}+ou=a,dc=org', 'uid'],
    [String.raw`cn={username},o=R\, D \c3\bc,dc=org`, 'cn'],
  ])('may be %s', (template, attribute) => {
    expect(dnTemplateFault(template)).toBeUndefined();
    expect(namingAttribute(template)).toBe(attribute);
  });
});

test.each([
  ['dc=example,dc=org', undefined],
  [String.raw`ou=R\,D,dc=org`, undefined],
  ['example.org', 'must be a distinguished name such as dc=example,dc=org'],
  ['', 'must be a distinguished name such as dc=example,dc=org'],
  ['dc=example,', 'must be a distinguished name such as dc=example,dc=org'],
])('the name of an entry %j has the fault %j', (dn, fault) => {
  expect(dnFault(dn)).toBe(fault);
});

test('the place may be written as {0} too', () => {
  expect(templateOf('(|(uid={0})(mail={username}))')).toBe('(|(uid={username})(mail={username}))');
});
