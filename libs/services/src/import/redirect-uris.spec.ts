import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern } from '../matching/compiled-pattern.js';
import { matchesRedirectPattern, originOfPattern } from '../matching/redirect-patterns.js';
import { readRedirectUris, type RedirectUris } from './redirect-uris.js';

const APP = 'https://app.example.org';

function read(pattern: string, type: 'web' | 'native' = 'web'): RedirectUris {
  const result = readRedirectUris(pattern, type);
  if ('reason' in result) throw new Error(result.reason);
  return result;
}

describe('a finite pattern is a list of URIs', () => {
  test.each<[string, readonly string[]]>([
    [String.raw`^https://app\.example\.org/cb$`, [`${APP}/cb`]],
    ['https://app.example.org/cb', [`${APP}/cb`]],
    [
      String.raw`^https://app\.example\.org/(login|signed\.in)/?$`,
      [`${APP}/login/`, `${APP}/login`, `${APP}/signed.in/`, `${APP}/signed.in`],
    ],
    [
      String.raw`^(https://app\.example\.org/a|https://b\.example\.org/b)$`,
      [`${APP}/a`, 'https://b.example.org/b'],
    ],
    [String.raw`https://app\.example\.org/a|https://app\.example\.org/b`, [`${APP}/a`, `${APP}/b`]],
    [String.raw`(?i)^\Qhttps://app.example.org/a+b\E$`, [`${APP}/a+b`]],
    [
      'https://app[12].example.org/cb',
      ['https://app1.example.org/cb', 'https://app2.example.org/cb'],
    ],
    ['^http://localhost:8080/cb', ['http://localhost:8080/cb']],
  ])('%s', (pattern, uris) => {
    const notes = uris.length > 1 ? [`is taken as ${uris.join(', ')}`] : [];
    expect(read(pattern)).toEqual({ uris, patterns: [], notes });
  });

  test('a scheme of an application is for a native one', () => {
    expect(read(String.raw`com\.example\.app:/cb`, 'native').uris).toEqual(['com.example.app:/cb']);
    expect(readRedirectUris(String.raw`com\.example\.app:/cb`, 'web')).toMatchObject({
      reason: 'must be https: com.example.app:/cb',
    });
  });
});

describe('a pattern for the URIs of one host stays a pattern', () => {
  test.each<[string, readonly string[]]>([
    [String.raw`^https://app\.example\.org/.*`, [String.raw`https://app\.example\.org/.*`]],
    [
      String.raw`^https://app\.example\.org:8443/o/cb.*`,
      [String.raw`https://app\.example\.org:8443/o/cb.*`],
    ],
    ['https://app.example.org.*', [String.raw`https://app\.example\.org/.*`]],
    ['^https://app.example.org.+$', [String.raw`https://app\.example\.org/.*$`]],
    ['^http://localhost:9000/x.*', ['http://localhost:9000/x.*']],
    [
      String.raw`^https://(a|b)\.example\.org/[^/]+/cb`,
      [String.raw`https://a\.example\.org/[^/]+/cb`, String.raw`https://b\.example\.org/[^/]+/cb`],
    ],
  ])('%s', (pattern, patterns) => {
    expect(read(pattern)).toMatchObject({ uris: [], patterns });
  });

  test('with a warning, and one on what was left out', () => {
    expect(read(String.raw`^https?://app\.example\.org/(cb|x/.*)`)).toEqual({
      uris: [`${APP}/cb`],
      patterns: [String.raw`https://app\.example\.org/x/.*`],
      notes: [
        'is taken as https://app.example.org/cb',
        String.raw`is taken as a pattern, https://app\.example\.org/x/.*: a list of URIs is safer`,
        'is taken in part, without an alternative that must be https, except on a loopback host: http://app.example.org/cb',
        'is taken in part, without an alternative that must be https, except on a loopback host: http://app.example.org/',
      ],
    });
  });
});

describe('a client gets no URI by a pattern', () => {
  const anyHost = 'is open to every host, so that codes and tokens could be sent anywhere';
  const noHost =
    'does not name its hosts one by one, and a host with a wildcard may be of somebody else';
  test.each([
    ['.*', anyHost],
    ['^https?://.*', anyHost],
    ['^(https|http|imaps)://.*', anyHost],
    ['^https://.+', anyHost],
    [String.raw`https://[^/]*`, noHost],
    [String.raw`^https://.*\.example\.org/.*`, noHost],
    [String.raw`^https://[a-z]+\.example\.org/cb`, noHost],
    [String.raw`^https://app\.example\.org\w*/cb`, noHost],
    [String.raw`^https://localhost:\d+/cb`, noHost],
    [
      '^http://app.example.org/.*',
      'must be https, except on a loopback host: http://app.example.org/',
    ],
    ['https://user@app.example.org/', 'must not hold a user name or password'],
    [
      'https://APP.example.org:443/.*',
      'has a host in an unusual form: https://app.example.org:443',
    ],
    [
      'https://(?!a)b.example.org/',
      'is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
    ],
    ['https://[^a&&b].example.org/', 'has Java syntax that RE2 reads otherwise: &&'],
    [`https://[0-9][0-9]{2}.example.org/`, noHost],
    [`https://a[0123456789][0123456789][01].example.org/`, 'lists more than 100 URIs: write fewer'],
    ['(https://a.example.org/$|https://b.example.org/)c', 'has $ in the middle'],
    ['https://a^b.example.org/', 'has ^ in the middle'],
  ])('%s', (pattern, reason) => {
    expect(readRedirectUris(pattern, 'web')).toEqual({ reason });
  });
});

const SCHEMES = ['https://', '^https://', '^https?://', '^(https|http)://', '(?i)https://', ''];
const HOSTS = [
  String.raw`app\.example\.org`,
  'app.example.org',
  String.raw`(app|b)\.example\.org`,
  String.raw`(app\.)?example\.org`,
  String.raw`app[12]\.example\.org`,
  String.raw`app\.example\.org(:8443)?`,
  String.raw`.*\.example\.org`,
  String.raw`[^/]+\.example\.org`,
  String.raw`[a-z.@\\]*app\.example\.org`,
  'localhost:8443',
];
const TAILS = [
  '',
  '$',
  '/cb',
  '/cb$',
  '/.*',
  '.*',
  '.+',
  '/?.*',
  '(/.*)?',
  '(/.*|$)',
  String.raw`/cb\?a=.*`,
  '/[^/]+/cb',
  String.raw`(:\d+)?/cb`,
  '.*/cb',
  String.raw`\w*/cb`,
  String.raw`/.*|https://b\.example\.org/x.*`,
];
const TRICKS = [
  `${APP}/cb`,
  `${APP}:8443/cb?a=1`,
  'https://b.example.org/x/cb',
  'https://app1.example.org/cb',
  'https://appxexample.org/cb',
  'https://app.example.org.evil.example/cb',
  'https://app.example.org@evil.example/cb',
  'https://app.example.org:8443@evil.example/cb',
  'https://evil.example/https://app.example.org/cb',
  String.raw`https://app.example.org\@evil.example/cb`,
  String.raw`https://evil.example\app.example.org/cb`,
  'https://evil.example%2f@app.example.org/cb',
  'https://app.example.org%2f.evil.example/cb',
  'https://app.example.org%2eevil.example/cb',
  'https://app.example.org;evil.example/cb',
  'https://evil.example#@app.example.org/cb',
  'https://evil.example?x=app.example.org/cb',
  'https:app.example.org/cb',
  'https:///app.example.org/cb',
  '//app.example.org/cb',
  `${APP}/cb/../../x`,
  `${APP}/%2e%2e/cb`,
  `${APP}\t/cb`,
  'https://localhost:8443/cb',
];

const pattern = fc
  .tuple(fc.constantFrom(...SCHEMES), fc.constantFrom(...HOSTS), fc.constantFrom(...TAILS))
  .map((parts) => parts.join(''));
const uri = fc
  .tuple(
    fc.constantFrom(...TRICKS),
    fc.nat(60),
    fc.constantFrom('', '', '@', '\\', '.', '%40', '/', '#', 'x', ':1'),
  )
  .map(([text, at, sign]) => text.slice(0, at) + sign + text.slice(at));

test('what a converted pattern accepts, Apereo CAS accepts, and only at the hosts of the pattern', () => {
  let accepted = 0;
  fc.assert(
    fc.property(pattern, uri, (java, address) => {
      const result = readRedirectUris(java, 'web');
      if ('reason' in result) return;
      const original = compilePattern(java, { ignoreCase: true });
      for (const each of result.uris) expect(original.matcher(each).matches()).toBe(true);
      if (!matchesRedirectPattern(result.patterns, address)) return;
      accepted += 1;
      expect(original.matcher(address).matches()).toBe(true);
      expect(result.patterns.map(originOfPattern)).toContain(`${new URL(address).origin}/`);
      expect(address.startsWith(`${new URL(address).origin}/`)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(10);
});
