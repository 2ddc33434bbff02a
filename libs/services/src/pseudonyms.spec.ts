import { expect, test } from '@jest/globals';
import { pseudonymOf, shibbolethKey } from './pseudonyms.js';

test('a pseudonym depends on the key and the user', () => {
  const pseudonyms = [
    ['key', 'a'],
    ['key', 'b'],
    ['other', 'a'],
  ].map(([key = '', user = '']) => pseudonymOf(key, user));
  expect(new Set(pseudonyms).size).toBe(3);
  expect(pseudonymOf('key', 'a')).toBe(pseudonyms[0]);
});

// Values of Apereo CAS 7, by ShibbolethCompatiblePersistentIdGenerator.
test.each([
  [
    { sector: 'sso.example.org', salt: 'cpaOl1pwGZ439!!' },
    'casuser',
    '9IOlxFj2XgfhkNJieynbw+Pm+4E=',
  ],
  [
    { sector: 'https://shibboleth.irbmanager.com/', salt: 'thisisasalt' },
    'grudkin',
    'jvZO/wYedArYIEIORGdHoMO4qkw=',
  ],
])('the pairwise identifiers of %j are those of Apereo CAS', (key, user, expected) => {
  expect(pseudonymOf(shibbolethKey(key), user)).toBe(expected);
});

test('a line feed in a salt counts as a space, as in Apereo CAS', () => {
  const [one, other] = ['a\nb', 'a b'].map((salt) =>
    pseudonymOf(shibbolethKey({ sector: 's', salt }), 'u'),
  );
  expect(one).toBe(other);
});

test('the shortest key is as long as the database asks', () => {
  expect(shibbolethKey({ sector: 'a', salt: 'b' }).length).toBeGreaterThanOrEqual(32);
});
