import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redirectUriViolation, schemeViolation } from './client-uris.js';

const ABSOLUTE =
  'must be absolute URIs of ASCII with at most 2000 characters, as RFC 3986 writes them';
const NO_USER = 'must not hold a user name or password';

const violationOf = (uri: string, type: 'web' | 'native' = 'web'): string | undefined =>
  redirectUriViolation(uri) ?? schemeViolation(uri, type);

describe('a URI is refused', () => {
  test.each<[string, string, string]>([
    ['without a scheme', '/callback', ABSOLUTE],
    ['of another origin by its scheme alone', '//app.example.org/cb', ABSOLUTE],
    ['that is empty', '', ABSOLUTE],
    ['with spaces', 'https://app.example.org/a b', ABSOLUTE],
    ['that begins with a space', ' https://app.example.org/', ABSOLUTE],
    ['with a line feed, which parsers leave out', 'https://app.example.org/\ncb', ABSOLUTE],
    ['with a tab, which parsers leave out', 'java\tscript:alert(1)', ABSOLUTE],
    ['with letters that are not ASCII', 'https://b\u00fcro.example.org/', ABSOLUTE],
    ['with a backslash, which browsers read as a slash', 'https:\\\\evil.example/', ABSOLUTE],
    ['with a backslash behind the host', 'https://evil.example\\@app.example.org/', ABSOLUTE],
    ['with a quote', `https://app.example.org/"`, ABSOLUTE],
    ['with an angle bracket', 'https://app.example.org/<b>', ABSOLUTE],
    ['that is too long', `https://app.example.org/${'a'.repeat(2_000)}`, ABSOLUTE],
    ['with a user', 'https://app.example.org@evil.example/', NO_USER],
    ['with a password', 'https://user:secret@evil.example/', NO_USER],
    ['with an empty user', 'https://@evil.example/', NO_USER],
    ['with a user of a private-use scheme', 'com.example.app://user@host/cb', NO_USER],
    [
      'without slashes',
      'https:app.example.org',
      'must be absolute URIs, not https:app.example.org',
    ],
    ['without a host', 'https:///cb', 'must be absolute URIs, not https:///cb'],
    ['with an invalid port', 'https://a:99999/', 'must be absolute URIs, not https://a:99999/'],
    ['with a fragment', 'https://a/#x', 'must not have a fragment: https://a/#x'],
    ['with an empty fragment', 'https://a/#', 'must not have a fragment: https://a/#'],
    [
      'with a wildcard in the host',
      'https://*.a/',
      'must not have a wildcard, because they are compared whole: https://*.a/',
    ],
    [
      'with a wildcard in the path',
      'https://a/*',
      'must not have a wildcard, because they are compared whole: https://a/*',
    ],
    ['with two dots', 'https://a/b/../c', 'must not contain two dots in a row: https://a/b/../c'],
    ['with encoded dots', 'https://a/.%2E/', 'must not contain two dots in a row: https://a/.%2E/'],
    ['with http', 'http://a/', 'must be https, except on a loopback host: http://a/'],
    [
      'with http for a host like a loopback host',
      'http://localhost.evil.example/',
      'must be https, except on a loopback host: http://localhost.evil.example/',
    ],
    ['of a script', 'javascript:alert(1)', 'must be https: javascript:alert(1)'],
    ['of data', 'data:text/html,x', 'must be https: data:text/html,x'],
    ['of a private-use scheme', 'com.example.app:/cb', 'must be https: com.example.app:/cb'],
  ])('%s', (_what, uri, violation) => {
    expect(violationOf(uri)).toBe(violation);
  });

  test.each<[string, string, string]>([
    [
      'with a scheme without a dot',
      'myapp:/cb',
      "must have a scheme of the client's own, with a dot, such as com.example.app: myapp:/cb",
    ],
    [
      'of a script',
      'javascript:alert(1)',
      "must have a scheme of the client's own, with a dot, such as com.example.app: javascript:alert(1)",
    ],
    ['with http', 'http://a/', 'must be https, except on a loopback host: http://a/'],
    [
      'with https on a loopback host',
      'https://localhost/',
      'must be http on the loopback host of a native client: https://localhost/',
    ],
  ])('of a native client, %s', (_what, uri, violation) => {
    expect(violationOf(uri, 'native')).toBe(violation);
  });
});

describe('a URI is accepted', () => {
  test.each([
    'https://app.example.org',
    'https://app.example.org/callback?tenant=1&x=%2F',
    'https://app.example.org:8443/cb',
    'https://[2001:db8::1]/cb',
    'HTTPS://APP.example.org/',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    "https://app.example.org/~a/(b)/c!$&',;=:@",
  ])('%s', (uri) => {
    expect(violationOf(uri)).toBeUndefined();
  });

  test.each([
    'com.example.app:/cb',
    'com.example.app://callback',
    'https://app.example.org/',
    'http://127.0.0.1/cb',
  ])('of a native client, %s', (uri) => {
    expect(violationOf(uri, 'native')).toBeUndefined();
  });
});

const anyUri = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ maxLength: 40 }).map((text) => `https://${text}`),
  fc
    .array(
      fc.constantFrom(
        'https:',
        'http:',
        '/',
        '//',
        '@',
        'a',
        '.b',
        '..',
        '%2e',
        ':',
        '#',
        '?',
        '*',
        '\\',
        '\n',
        'localhost',
        '[::1]',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('of any accepted URI', () => {
  test('a parser reads the host that is written, and no user, no fragment and no other scheme', () => {
    fc.assert(
      fc.property(anyUri, (uri) => {
        if (violationOf(uri) !== undefined) return;
        const url = new URL(uri);
        const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?]+)/i.exec(uri) ?? [];
        expect(url.protocol).toBe(`${scheme.toLowerCase()}:`);
        expect(new URL(`${scheme}://${authority}/`).host).toBe(url.host);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
        expect(authority).not.toContain('@');
        if (url.protocol === 'http:') {
          expect(['localhost', '127.0.0.1', '[::1]']).toContain(url.hostname);
        }
      }),
    );
  });

  test('a parser drops no part of the path', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        const uri = `https://app.example.org/a${path}`;
        if (violationOf(uri) !== undefined) return;
        expect(new URL(uri).pathname.startsWith('/a')).toBe(true);
      }),
    );
  });
});

test('no reason repeats a password', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9.*#]{1,20}$/), (rest) => {
      const reason = violationOf(`https://user:pass-word@${rest}`);
      expect(reason).toBeDefined();
      expect(reason).not.toContain('pass-word');
    }),
  );
});
