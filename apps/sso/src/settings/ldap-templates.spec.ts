import { describe, expect, test } from '@jest/globals';
import {
  comparedAttribute,
  dnViolation,
  dnTemplateViolation,
  filterViolation,
  namingAttribute,
  normalizeTemplate,
} from './ldap-templates.js';

describe('a filter is refused', () => {
  const notFilter = 'must be an LDAP filter such as (uid={username})';
  const noPlaceholder = 'must hold {username}, the place of the user name';
  const wide = 'must compare {username} by = and without *, or it finds other users';
  test.each([
    ['that is empty', '', notFilter],
    ['without parentheses', 'uid={username}', notFilter],
    ['that is not closed', '(uid={username}', notFilter],
    ['that closes too often', '(uid={username}))', notFilter],
    ['of two', '(uid={username})(cn={username})', notFilter],
    ['without an attribute', '(={username})', notFilter],
    ['without a comparison', '({username})', notFilter],
    ['that joins nothing', '(&)', notFilter],
    ['that negates two', '(!(uid={username})(cn=a))', notFilter],
    ['with an escape that is none', String.raw`(&(uid={username})(cn=\zz))`, notFilter],
    ['with bytes of a letter as escapes', String.raw`(&(uid={username})(cn=\c3\bc))`, notFilter],
    ['with a NUL in place of a comparison', '(&\0(uid={username}))', notFilter],
    ['without a placeholder', '(uid=alice)', noPlaceholder],
    ['with the name as the attribute', '({username}=alice)', notFilter],
    ['with a placeholder of another program', '(uid={user})', noPlaceholder],
    ['that matches a prefix of the name', '(uid={username}*)', wide],
    ['that compares by order', '(uid>={username})', wide],
    ['that compares by sound', '(|(uid={username})(cn~={username}))', wide],
  ])('%s', (_what, template, violation) => {
    expect(filterViolation(template)).toBe(violation);
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
    expect(filterViolation(template)).toBeUndefined();
    expect(comparedAttribute(template)).toBe(attribute);
  });
});

describe('the name of users’ entries', () => {
  test.each([
    ['empty', ''],
    ['without a placeholder', 'uid=alice,dc=org'],
    ['of the name alone', '{username}'],
    ['of a mechanism', 'EXTERNAL'],
    ['of an address', '{username}@example.org'],
    ['with two placeholders', 'uid={username},ou={username},dc=org'],
    ['with the placeholder as a part of a value', 'uid=u-{username},dc=org'],
    ['with the placeholder in quotes', 'uid="{username}",dc=org'],
    ['with an end that is no name', 'uid={username},dc'],
    ['with an empty part', 'uid={username},,dc=org'],
  ])('is refused %s', (_what, template) => {
    expect(dnTemplateViolation(template)).toMatch(/^must be a distinguished name such as uid=/);
  });

  test.each([
    ['uid={username},ou=people,dc=example,dc=org', 'uid'],
    ['ou=people,CN={username}, dc=org', 'cn'],
    ['uid={username}+ou=a,dc=org', 'uid'],
    [String.raw`cn={username},o=R\, D \c3\bc,dc=org`, 'cn'],
  ])('may be %s', (template, attribute) => {
    expect(dnTemplateViolation(template)).toBeUndefined();
    expect(namingAttribute(template)).toBe(attribute);
  });
});

test.each([
  ['dc=example,dc=org', undefined],
  [String.raw`ou=R\,D,dc=org`, undefined],
  ['example.org', 'must be a distinguished name such as dc=example,dc=org'],
  ['', 'must be a distinguished name such as dc=example,dc=org'],
  ['dc=example,', 'must be a distinguished name such as dc=example,dc=org'],
])('the name of an entry %j has the violation %j', (dn, violation) => {
  expect(dnViolation(dn)).toBe(violation);
});

test('the placeholder may be written as {0} too', () => {
  expect(normalizeTemplate('(|(uid={0})(mail={username}))')).toBe(
    '(|(uid={username})(mail={username}))',
  );
});
