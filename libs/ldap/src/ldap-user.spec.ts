import { expect, test } from '@jest/globals';
import { userOf, wantedAttributes } from './ldap-user.js';

const MAPPING = { idAttribute: 'uid', attributes: { UID: 'login', mail: 'mail', Mail: 'address' } };

test('each attribute is requested once, and the user gets it under every mapped name', () => {
  const names = wantedAttributes(MAPPING).map((name) => name.toLowerCase());
  expect(names.toSorted()).toEqual(['mail', 'uid']);
  const attributes = new Map([
    ['uid', ['alice']],
    ['mail', ['a@example.org']],
  ]);
  expect(userOf({ dn: 'uid=alice', attributes }, MAPPING)).toEqual({
    accepted: {
      id: 'alice',
      attributes: { login: ['alice'], mail: ['a@example.org'], address: ['a@example.org'] },
    },
  });
});
