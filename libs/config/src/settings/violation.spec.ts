import { expect, test } from '@jest/globals';
import { withoutUrlPasswords } from './violation.js';

test.each([
  ['https://host/path', 'https://host/path'],
  ['http://me:geheim@host', 'http://me:…@host'],
  ['https://me@corp.example:geheim@host/x.git', 'https://…@host/x.git'],
  ['https://geheim@host', 'https://…@host'],
  ['http://:geheim@host', 'http://…@host'],
  ['https:/me:geheim@host', 'https:/…@host'],
  ['https://me:geheim/a@b@host', 'https://…@host'],
  ['https://host/x.git?private_token=geheim&a=geheim#b', 'https://host/x.git?private_token=…&a=…'],
  ['me@example.org', 'me@example.org'],
  ['(&(uid={username})(mail=*@x))', '(&(uid={username})(mail=*@x))'],
  ['', ''],
])('%s is shown as %s', (value, shown) => {
  expect(withoutUrlPasswords(value).startsWith(shown)).toBe(true);
  expect(withoutUrlPasswords(value)).not.toContain('geheim');
});
