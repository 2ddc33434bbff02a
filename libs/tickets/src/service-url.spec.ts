import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { canonicalService, isSameService } from './service-url.js';

const SAME: readonly (readonly [rule: string, issued: string, presented: string])[] = [
  ['itself', 'https://app/x', 'https://app/x'],
  ['case of scheme and host', 'https://app.example.org/x', 'HTTPS://APP.Example.ORG/x'],
  ['the default port of https', 'https://app/x', 'https://app:443/x'],
  ['the default port of http', 'http://app:80/x', 'http://app/x'],
  ['an empty port', 'https://app:/x', 'https://app/x'],
  ['a fragment', 'https://app/x#top', 'https://app/x'],
  ['jsessionid', 'https://app/x;jsessionid=A1?y=1', 'https://app/x?y=1'],
  ['jsessionid in capitals', 'https://app/x;JSESSIONID=A1.node', 'https://app/x'],
  [
    'jsessionid amid other parameters',
    'https://app/x;a=1;jsessionid=Q;b=2/z',
    'https://app/x;a=1;b=2/z',
  ],
  ['a space as %20 or + in the query', 'https://app/?q=a%20b', 'https://app/?q=a+b'],
  ['percent-encoding of what needs none', 'https://app/%7Euser', 'https://app/~user'],
  ['the case of hexadecimal digits', 'https://app/%c3%a9', 'https://app/%C3%A9'],
  ['a letter and its UTF-8 encoding', 'https://app/é', 'https://app/%C3%A9'],
  ['an ampersand and its encoding', 'https://app/?a=1%26b=2', 'https://app/?a=1&b=2'],
  ['what is no URL with itself', 'urn:app', 'urn:app'],
  [
    'the encoding of a query in the query, as JumpServer has it',
    'https://app/auth/?next=%2F%3Fnext%3D%2F',
    'https://app/auth/?next=/?next=/',
  ],
  [
    'the encoding of = and / in Base64, as the client of .NET has it',
    'https://app/signin-cas?state=Cf8%2Bb%2Fc%3D%3D',
    'https://app/signin-cas?state=Cf8%2Bb/c==',
  ],
  [
    'the encoding of a URL in the query, as omniauth-cas has it',
    'https://app/callback?url=http://app/start',
    'https://app/callback?url=http%3A%2F%2Fapp%2Fstart',
  ],
  [
    'parameters named as those of CAS, as Keycloak has them',
    'https://app/endpoint?state=a.b&code=1&ticket=ST-1',
    'https://app/endpoint?state=a%2Eb&code=1&ticket=ST-1',
  ],
];

const DIFFERENT: readonly (readonly [rule: string, issued: string, presented: string])[] = [
  ['the case of the path', 'https://app/x', 'https://app/X'],
  ['a trailing slash', 'https://app/x', 'https://app/x/'],
  ['an empty path and a slash', 'https://app', 'https://app/'],
  ['the order of the query', 'https://app/?a=1&b=2', 'https://app/?b=2&a=1'],
  ['an added parameter', 'https://app/', 'https://app/?a=1'],
  ['an empty query', 'https://app/x', 'https://app/x?'],
  ['a prefix', 'https://app/x', 'https://app/xy'],
  ['a suffix of the host', 'https://app.example.org/', 'https://app.example.org.evil.example/'],
  ['a prefix of the host', 'https://app.example.org/', 'https://evil-app.example.org/'],
  ['scheme', 'https://app/x', 'http://app/x'],
  ['another port', 'https://app/x', 'https://app:8443/x'],
  ['the default port of the other scheme', 'http://app/x', 'http://app:443/x'],
  ['a user in front of the host', 'https://app/x', 'https://user@app/x'],
  ['the host as user of another', 'https://app/x', 'https://app@evil.example/x'],
  ['a plus in the path, which is no space', 'https://app/a+b', 'https://app/a b'],
  ['a plus and its encoding in the query', 'https://app/?q=a+b', 'https://app/?q=a%2Bb'],
  ['an encoding decoded twice', 'https://app/%2541', 'https://app/A'],
  ['an encoded question mark in the path', 'https://app/x%3Fa=1', 'https://app/x?a=1'],
  ['an encoded slash in the host', 'https://app%2Fx/y', 'https://app/x/y'],
  ['an encoded number sign in the path', 'https://app/x%23y', 'https://app/x'],
  ['jsessionid in the query', 'https://app/?a=;jsessionid=1', 'https://app/?a='],
  ['bytes that are no UTF-8', 'https://app/%ff', 'https://app/%fe'],
  ['a backslash and a slash', 'https://app\\x', 'https://app/x'],
];

describe('a ticket is valid for the service it was issued for', () => {
  test.each(SAME)('regardless of %s', (_, issued, presented) => {
    expect(isSameService(issued, presented)).toBe(true);
    expect(isSameService(presented, issued)).toBe(true);
  });

  test.each(DIFFERENT)('but %s makes another service', (_, issued, presented) => {
    expect(isSameService(issued, presented)).toBe(false);
    expect(isSameService(presented, issued)).toBe(false);
  });

  test('any text is the same as itself', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => isSameService(text, text)));
  });

  test('the order of comparing does not matter for any texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(isSameService(one, other)).toBe(isSameService(other, one));
      }),
    );
  });

  test('a longer path is never the same', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.stringMatching(/^[a-z0-9/]+$/),
        (url, more) => {
          expect(isSameService(url, url + more)).toBe(false);
        },
      ),
    );
  });

  test('encoding any character of the path changes nothing', () => {
    const segment = anyText({ minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(segment, (text) => {
        const encoded = encodeURIComponent(text);
        const lowerCased = encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
        expect(isSameService(`https://app/${encoded}`, `https://app/${lowerCased}`)).toBe(true);
      }),
    );
  });

  test('services that are the same have one canonical spelling', () => {
    for (const [, issued, presented] of SAME) {
      expect(canonicalService(issued)).toBe(canonicalService(presented));
    }
  });

  test('the canonical spelling drops a fragment', () => {
    const character = fc.constantFrom(...'aA0:/?;%+&=@.-é"');
    const service = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.tuple(
        fc.constantFrom('https://', 'http://', 'HTTPS://', 'urn:'),
        fc.string({ unit: character }),
      ),
    );
    fc.assert(
      fc.property(service, (parts) => {
        const text = typeof parts === 'string' ? parts : parts.join('');
        expect(canonicalService(`${text}#`)).toBe(canonicalService(text));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['HTTPS://APP:443/%61dmin;jsessionid=1/x?q=a%20b+c#top', 'https://app/admin/x?q=a b c'],
    ['https://app/%C3%A9', 'https://app/é'],
    ['https://app', 'https://app'],
    ['urn:app', 'urn:app'],
  ])('the canonical spelling of %s can be matched with patterns', (service, canonical) => {
    expect(canonicalService(service)).toBe(canonical);
  });
});
