import { describe, expect, test } from '@jest/globals';
import { RequiredRole } from './required-role.js';

const principal = (attributes: string) => ({
  id: 'ann',
  attributes: JSON.parse(attributes) as Record<string, string[]>,
});

describe('nobody has the role', () => {
  test.each([
    ['where there is none', '', '', '{"memberOf":["admin"],"":[""]}'],
    ['where it has no attribute', '', 'admin', '{"memberOf":["admin"],"":["admin"]}'],
    ['where it has no value', 'memberOf', '', '{"memberOf":["admin",""]}'],
  ])('%s', (_, roleName, roleValue, attributes) => {
    const role = new RequiredRole({ roleName, roleValue });
    expect(role.isGiven).toBe(false);
    expect(role.isHeldBy(principal(attributes))).toBe(false);
  });
});

describe('the role', () => {
  test.each([
    ['memberOf', 'admin', '{}', false],
    ['memberOf', 'admin', '{"memberOf":[]}', false],
    ['memberOf', 'admin', '{"memberOf":["staff"]}', false],
    ['memberOf', 'admin', '{"memberof":["admin"]}', false],
    ['memberOf', 'admin', '{"memberOf":["Admin"]}', false],
    ['memberOf', 'admin', '{"memberOf":["administrator","no admin"]}', false],
    ['memberOf', 'a|b', '{"memberOf":["ab"]}', false],
    ['constructor', '.*', '{}', false],
    ['__proto__', '.*', '{}', false],
    ['memberOf', 'admin', '{"memberOf":["staff","admin"]}', true],
    ['memberOf', 'ops-.+|admin', '{"memberOf":["staff","ops-eu"]}', true],
    ['__proto__', 'admin', '{"__proto__":["admin"]}', true],
  ])('%s=%s is held by %s: %j', (roleName, roleValue, attributes, expected) => {
    const role = new RequiredRole({ roleName, roleValue });
    expect(role.isGiven).toBe(true);
    expect(role.isHeldBy(principal(attributes))).toBe(expected);
  });
});
