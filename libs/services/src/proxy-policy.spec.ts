import { expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import { mayProxyTo } from './proxy-policy.js';
import type { ProxyPolicy } from './registered-service.js';

const allows = (proxyPolicy: ProxyPolicy, url: string) =>
  mayProxyTo(registeredService({ proxyPolicy }), url);
const pattern = (text: string): ProxyPolicy => ({ kind: 'pattern', pattern: text });

test.each([
  ['any URL by default', { kind: 'refuse' } as const, 'https://a/cb'],
  ['a URL that matches in part', pattern('https://a/cb'), 'https://a/cb?x'],
  ['a URL that does not match', pattern('https://a/[a-z]+'), 'https://b/cb'],
  ['every URL for a text that is no pattern', pattern('https://a/('), 'https://a/('],
  ['a URL of more than 8,192 characters', pattern('.*'), 'a'.repeat(8_193)],
  ['a URL that would take too long to match', pattern('(\\pL{0,300}.*){3}'), '!'.repeat(3_000)],
])('refuses %s', (_rule, policy, url) => {
  expect(allows(policy, url)).toBe(false);
});

test.each([
  ['https://a/.*', 'https://A/cb'],
  ['https://a/[a-z]+', 'https://a/CB'],
])('%s allows %s', (text, url) => {
  expect(allows(pattern(text), url)).toBe(true);
  // The second time from the cache.
  expect(allows(pattern(text), url)).toBe(true);
});
