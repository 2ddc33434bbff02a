import { expect, test } from '@jest/globals';
import { serverUrlViolation } from './server-url.js';

const NO_URL = 'must be an http or https URL';
const TOO_MUCH = 'must have no query, fragment or user';
const OPEN = 'must be https in profile production';

const violationIn = (profile: string, written: string): string | undefined =>
  serverUrlViolation(written, { isActive: (name) => name === profile });

test.each<[string, string | undefined]>([
  ['', NO_URL],
  ['vault', NO_URL],
  ['vault.example.org:8200', NO_URL],
  ['ftp://vault', NO_URL],
  ['http:vault', NO_URL],
  ['http://', NO_URL],
  ['https://user@vault', TOO_MUCH],
  ['https://@vault', TOO_MUCH],
  ['https://vault?', TOO_MUCH],
  ['https://vault#', TOO_MUCH],
  ['https://vault\\path', TOO_MUCH],
  ['http://vault', OPEN],
  ['http://127.0.0.1.example.org', OPEN],
  ['http://[::2]', OPEN],
  ['http://localhost.example.org', OPEN],
  ['http://vault.localhost', OPEN],
  ['http://localhost.', OPEN],
  ['http://127.example', OPEN],
  ['http://[::ffff:127.0.0.1]', OPEN],
  ['http://localhost:8200', undefined],
  ['http://LOCALHOST', undefined],
  ['http://127.1.2.3', undefined],
  ['http://127.1', undefined],
  ['http://[::1]', undefined],
  ['https://vault.example.org/prefix/', undefined],
  ['HTTPS://VAULT', undefined],
])('of %s in production the fault is: %s', (written, violation) => {
  expect(violationIn('production', written)).toBe(violation);
});

test('an address in the open is good elsewhere', () => {
  expect(violationIn('dev', 'http://vault')).toBeUndefined();
});
