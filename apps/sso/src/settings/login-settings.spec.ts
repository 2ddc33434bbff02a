import { expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { newKeyFile } from '@tessera/crypto';
import { LoginSettings } from './login-settings.js';

const KEY = newKeyFile('a').trim();
const MALFORMED = 'must list keys as tessera keygen prints them: v1.<id>.<key>';

test.each<[string, readonly string[], readonly string[]]>([
  ['a password', ['correct horse battery staple'], [MALFORMED]],
  ['a path', ['/etc/tessera/login.key'], [MALFORMED]],
  ['a key that is cut off', [KEY.slice(0, -1)], [MALFORMED]],
  ['a key beside a text', [KEY, 'x'], [MALFORMED]],
  ['two keys of an id', [KEY, newKeyFile('a').trim()], ['must list keys with different ids']],
  ['none', [], []],
  ['keys', [KEY, newKeyFile().trim()], []],
])('the keys of logins, given as %s', (_, texts, messages) => {
  const settings = Object.assign(new LoginSettings(), {
    keys: texts.map((text) => new Secret(text)),
  });
  expect([...settings.check()]).toEqual(
    messages.map((message) => ({ key: 'sso.login.keys', message })),
  );
});
