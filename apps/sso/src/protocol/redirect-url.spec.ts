import { describe, expect, test } from '@jest/globals';
import { assert, property } from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { isRedirectable, toAscii, withParameter } from './redirect-url.js';

describe('isRedirectable', () => {
  test.each([
    'http://a',
    'HTTPS://A.example/',
    'https://a:8443?x',
    'https://a#b',
    'https://ä.example/ö?ü',
    'http://[::1]:80/',
    'https://a/x@y',
    'https://a/?u=https://b\u2026',
    'https://a/b c?d=e f#g h ',
  ])('admits %j', (service) => expect(isRedirectable(service)).toBe(true));

  test('never admits a text that a browser reads as another host', () => {
    assert(
      property(anyText(), (text) => {
        for (const service of [`https://a.example${text}`, `https://${text}/a.example`, text]) {
          if (!isRedirectable(service)) continue;
          const host = /^https?:\/\/([^/?#]*)/i.exec(service)?.[1] ?? '';
          const url = new URL(toAscii(service));
          expect(url.host).toBe(new URL(`${url.protocol}//${host}`).host);
          expect(url.username).toBe('');
        }
      }),
    );
  });
});

test('withParameter adds exactly one parameter and keeps everything else', () => {
  assert(
    property(anyText(), (text) => {
      const service = `https://a.example/${text}`;
      if (!isRedirectable(service)) return;
      const [before, after] = [toAscii(service), withParameter(service, 'ticket', 'ST-1')].map(
        (each) => new URL(each),
      );
      expect(after?.searchParams.getAll('ticket').at(-1)).toBe('ST-1');
      expect([after?.origin, after?.pathname, after?.hash]).toEqual([
        before?.origin,
        before?.pathname,
        before?.hash,
      ]);
      expect(/^[\u0021-\u007e]*$/.test(withParameter(service, 'ticket', 'ST-1'))).toBe(true);
    }),
  );
});
