import { describe, expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import type {
  AttributePatterns,
  AttributeRelease,
  RegisteredService,
} from './registered-service.js';
import { hasUserName, release } from './release.js';

const attributes = { mail: ['a@x', 'b@x'], uid: ['4711'], memberOf: ['staff'] };
const principal = { id: 'casuser', attributes };

describe('attributes', () => {
  test.each<[string, AttributeRelease, object]>([
    ['none', { kind: 'none' }, {}],
    ['all', { kind: 'all' }, attributes],
    [
      'all but those excluded, in any letters',
      { kind: 'all', excluded: ['UID', 'memberof', 'x'] },
      { mail: ['a@x', 'b@x'] },
    ],
    [
      'those allowed, and no others',
      { kind: 'allowed', names: ['mail', 'Uid', 'toString', '__proto__'] },
      { mail: ['a@x', 'b@x'] },
    ],
    [
      'those mapped, under their new names',
      { kind: 'mapped', names: { uid: ['id', 'number'], mail: ['mail'], none: ['x'] } },
      { id: ['4711'], number: ['4711'], mail: ['a@x', 'b@x'] },
    ],
    [
      'all values, where two go under one name',
      { kind: 'mapped', names: { uid: ['id'], mail: ['id'], memberOf: ['id'] } },
      { id: ['4711', 'a@x', 'b@x', 'staff'] },
    ],
  ])('%s', (_rule, attributeRelease, released) => {
    expect(release(registeredService({ attributeRelease }), principal).attributes).toEqual(
      released,
    );
  });

  test.each<[string, AttributePatterns, object]>([
    [
      'those of the pattern',
      { mail: ['a@.*'] },
      { mail: ['a@x'], uid: ['4711'], memberOf: ['staff'] },
    ],
    [
      'none of an attribute that matches nothing',
      { mail: ['y'], uid: ['.*'] },
      { uid: ['4711'], memberOf: ['staff'] },
    ],
    ['whole ones', { uid: ['47'] }, { mail: ['a@x', 'b@x'], memberOf: ['staff'] }],
    [
      'those that one of several patterns matches',
      { mail: ['c@x', 'b.*'] },
      { mail: ['b@x'], uid: ['4711'], memberOf: ['staff'] },
    ],
    [
      'those that a pattern for every attribute matches',
      { '*': ['.*@x|staff'] },
      { mail: ['a@x', 'b@x'], memberOf: ['staff'] },
    ],
    ['those that both match', { '*': ['.*@x'], mail: ['a.*'] }, { mail: ['a@x'] }],
    ['none for an invalid pattern', { '*': ['('] }, {}],
    ['all of attributes that are not named', { cn: ['x'] }, attributes],
    ['those of a name in other letters', { MAIL: ['x'] }, attributes],
  ])('of the released values: %s', (_rule, releasedValues, released) => {
    const service = registeredService({ attributeRelease: { kind: 'all' }, releasedValues });
    expect(release(service, principal).attributes).toEqual(released);
  });

  test.each<[string, Partial<RegisteredService>, readonly string[], object]>([
    ['beside none', {}, ['uid', 'x'], { uid: ['4711'] }],
    [
      'beside others',
      { attributeRelease: { kind: 'allowed', names: ['mail'] } },
      ['uid'],
      { uid: ['4711'], mail: ['a@x', 'b@x'] },
    ],
    [
      'but the released ones of the same name',
      { attributeRelease: { kind: 'mapped', names: { uid: ['mail'] } } },
      ['mail'],
      { mail: ['4711'] },
    ],
    ['but not where it takes no part', { defaultAttributes: false }, ['uid'], {}],
    [
      'but not those excluded',
      { attributeRelease: { kind: 'all', excluded: ['UID', 'mail'] } },
      ['uid'],
      { memberOf: ['staff'] },
    ],
    [
      'but not values that do not match',
      { releasedValues: { uid: ['x'] } },
      ['uid', 'mail'],
      { mail: ['a@x', 'b@x'] },
    ],
  ])('a service gets the default attributes %s', (_rule, fields, byDefault, released) => {
    expect(release(registeredService(fields), principal, byDefault).attributes).toEqual(released);
  });

  test('a pattern is that of the released name', () => {
    const service = registeredService({
      attributeRelease: { kind: 'mapped', names: { uid: ['id'], mail: ['mail'] } },
      releasedValues: { id: ['x'], uid: ['x'] },
    });
    expect(release(service, principal).attributes).toEqual({ mail: ['a@x', 'b@x'] });
  });

  test('values that would take too long are not released', () => {
    const service = registeredService({
      attributeRelease: { kind: 'all' },
      releasedValues: { a: ['(\\pL{0,300}.*){3}'] },
    });
    const huge = { id: 'u', attributes: { a: ['a'.repeat(10_000)], b: ['b'] } };
    expect(release(service, huge).attributes).toEqual({ b: ['b'] });
  });

  test('a name such as __proto__ is a name like any other', () => {
    const odd = { id: 'u', attributes: JSON.parse('{"__proto__":["a"],"constructor":["b"]}') };
    const names = ['__proto__', 'constructor'];
    const service = registeredService({ attributeRelease: { kind: 'allowed', names } });
    const released = release(service, odd).attributes;
    expect(Object.entries(released)).toEqual([
      ['__proto__', ['a']],
      ['constructor', ['b']],
    ]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

describe('the name', () => {
  test.each([
    ['is the principal\u2019s', { kind: 'principal' }, 'casuser'],
    ['is the first value of an attribute', { kind: 'attribute', name: 'mail' }, 'a@x'],
    ['is the principal\u2019s without that attribute', { kind: 'attribute', name: 'x' }, 'casuser'],
    ['is in upper case', { kind: 'principal', letterCase: 'upper' }, 'CASUSER'],
    [
      'is in upper case from an attribute',
      { kind: 'attribute', name: 'mail', letterCase: 'upper' },
      'A@X',
    ],
    [
      'is in upper case without that attribute',
      { kind: 'attribute', name: 'x', letterCase: 'upper' },
      'CASUSER',
    ],
    ['is in lower case', { kind: 'principal', letterCase: 'lower' }, 'casuser'],
  ] as const)('%s', (_rule, usernameAttribute, name) => {
    expect(release(registeredService({ usernameAttribute }), principal).id).toBe(name);
  });

  test.each<[string, AttributeRelease, string, string]>([
    ['the released name', { kind: 'mapped', names: { mail: ['email'] } }, 'email', 'a@x'],
    [
      'the name of the user\u2019s own',
      { kind: 'mapped', names: { mail: ['email'] } },
      'mail',
      'a@x',
    ],
    ['the name of one that is not released', { kind: 'none' }, 'mail', 'a@x'],
    ['the released name first', { kind: 'mapped', names: { uid: ['mail'] } }, 'mail', '4711'],
    ['no name of an attribute', { kind: 'mapped', names: { x: ['email'] } }, 'email', 'casuser'],
  ])('is found by %s', (_rule, attributeRelease, name, expected) => {
    const usernameAttribute = { kind: 'attribute', name } as const;
    const service = registeredService({ attributeRelease, usernameAttribute });
    expect(release(service, principal).id).toBe(expected);
  });

  const pseudonym = (pseudonymSalt: string, id = 'casuser') =>
    release(registeredService({ usernameAttribute: { kind: 'anonymous' }, pseudonymSalt }), {
      id,
      attributes: {},
    }).id;

  test('a pseudonym stays the same for a service and a principal', () => {
    expect(pseudonym('salt of a')).toBe(pseudonym('salt of a'));
    expect(pseudonym('salt of a')).toMatch(/^[\w-]{43}$/);
  });

  test('a pseudonym differs between services and between principals', () => {
    const all = [pseudonym('salt of a'), pseudonym('salt of b'), pseudonym('salt of a', 'other')];
    expect(new Set(all).size).toBe(3);
  });
});

describe('a user has a name of his own', () => {
  test.each<[string, Partial<RegisteredService>, boolean]>([
    ['as the principal', { usernameAttribute: { kind: 'principal' } }, true],
    ['as a pseudonym', { usernameAttribute: { kind: 'anonymous' } }, true],
    ['by an attribute', { usernameAttribute: { kind: 'attribute', name: 'uid' } }, true],
    [
      'by the new name of an attribute',
      {
        usernameAttribute: { kind: 'attribute', name: 'number' },
        attributeRelease: { kind: 'mapped', names: { uid: ['number'] } },
      },
      true,
    ],
    ['not by one without a value', { usernameAttribute: { kind: 'attribute', name: 'x' } }, false],
    ['not by an empty value', { usernameAttribute: { kind: 'attribute', name: 'none' } }, false],
  ])('%s', (_, fields, expected) => {
    const service = registeredService(fields);
    const user = { id: 'casuser', attributes: { ...attributes, none: [''] } };
    expect(hasUserName(service, user, release(service, user))).toBe(expected);
  });
});
