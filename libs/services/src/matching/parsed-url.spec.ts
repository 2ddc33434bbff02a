import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { registeredService } from '../../test/registered-service.js';
import { parsedSpellings } from './parsed-url.js';
import { ServiceSnapshot } from './service-snapshot.js';

describe('a URL that is read otherwise than it is written has the spellings of the parser', () => {
  test.each([
    ['https://evil.example?.wild.test/', ['https://evil.example/?.wild.test/']],
    ['https://evil.example#.wild.test/', ['https://evil.example/#.wild.test/']],
    ['https://evil.example\\.wild.test/', ['https://evil.example/.wild.test/']],
    ['https:\\\\evil.example/', ['https://evil.example/']],
    ['https:evil.example/', ['https://evil.example/']],
    ['https:////evil.example/', ['https://evil.example/']],
    ['\thttps://evil.example/', ['https://evil.example/']],
    ['https://evil\t.example/', ['https://evil.example/']],
    ['https://a.test/open/../closed', ['https://a.test/closed']],
    ['https://a.test/open/%2E./closed', ['https://a.test/closed']],
    ['https://a.test/open/..', ['https://a.test/']],
    ['https://%61.test/', ['https://a.test/']],
    ['https://2130706433/', ['https://127.0.0.1/']],
    ['https://1.2/', ['https://1.0.0.2/']],
    [
      'https://b\u00fccher.test/\u00e9',
      ['https://xn--bcher-kva.test/%C3%A9', 'https://b\u00fccher.test/\u00e9'],
    ],
    ['https://B\u00fccher.test', ['https://xn--bcher-kva.test', 'https://b\u00fccher.test']],
    [
      'https://b\u00fccher.test:8443/',
      ['https://xn--bcher-kva.test:8443/', 'https://b\u00fccher.test:8443/'],
    ],
    ['https://a.test/%ff\u00e9', ['https://a.test/%ff%C3%A9']],
    [
      'https://ann@a.test/ x',
      [
        'https://ann@a.test/%20x',
        'https://ann@a.test/ x',
        'https://a.test/%20x',
        'https://a.test/ x',
      ],
    ],
    ['https://a.test./', ['https://a.test./', 'https://a.test/']],
    ['https://xn--bcher-kva.test/', ['https://xn--bcher-kva.test/', 'https://b\u00fccher.test/']],
    ['https://a.test/?q=a b', ['https://a.test/?q=a%20b', 'https://a.test/?q=a b']],
  ])('%j', (written, spellings) => {
    expect([...new Set(parsedSpellings(written))]).toEqual(spellings);
  });

  test.each(['https://', 'https://a b.test/', 'https://a.test:99999/', ' http://[/'])(
    '%j, which no parser reads, has none',
    (written) => expect(parsedSpellings(written)).toBeUndefined(),
  );
});

test.each([
  'https://a.test',
  'HTTPS://A.test:443/',
  'http://localhost:9000/x/.well-known/..x?next=/../y&u=https://b.test/?z=%2F|{}',
  'https://a.test/%7Eann;jsessionid=1/',
  'urn:app',
  'imap://mail.test?x',
  'app',
  '',
])('%j is read as it is written', (written) => {
  expect(parsedSpellings(written)).toEqual([]);
});

test('a URL without ambiguity has the same parts for the parser', () => {
  const part = fc.constantFrom(
    'a',
    '.test',
    '/',
    '/..',
    '?',
    '#',
    '\\',
    '@',
    ':80',
    '%2e',
    '1',
    '-',
    ' ',
    '\u00e9',
    '"',
  );
  const text = fc.oneof(
    anyText(),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (rest) => {
      const written = `http://${rest}`;
      if (parsedSpellings(written)?.length !== 0) return;
      const path = /^http:\/\/[^/?#]+$/.test(written) ? '/' : '';
      const [, authority = '', after] = /^http:\/\/([^/]*)(.*)$/s.exec(written + path) ?? [];
      const { host, href, origin } = new URL(written);
      expect(href.slice(origin.length)).toBe(after);
      expect(host).toBe(
        authority
          .toLowerCase()
          .replace(/:(?:80)?$/, '')
          .replace(/:0+(?=\d)/, ':'),
      );
    }),
    { numRuns: 200 },
  );
});

describe('a URL belongs to a service only as written and as parsed', () => {
  const patterns = [
    'https://[^/]+\\.wild\\.test/.*',
    'https://closed\\.test/.*',
    'https://[a-z.]+\\.test/open/.*',
  ];

  test.each([
    ['https://x.wild.test/', '0'],
    ['https://x.wild.test/a b?c d', '0'],
    ['https://evil.example?.wild.test/', undefined],
    ['https://evil.example#.wild.test/', undefined],
    ['https://evil.example\\.wild.test/', undefined],
    ['https://evil.example/?.wild.test/', undefined],
    ['https://closed.test/open/../x', '1'],
    ['https://a.test/open/x', '2'],
    ['https://a.test/open/../closed/', undefined],
    ['https://closed.test/open/x', '1'],
  ])('%j: %j', async (url, owner) => {
    const services = patterns.map((serviceId, at) =>
      registeredService({ id: String(at), serviceId, evaluationOrder: at }),
    );
    const snapshot = await ServiceSnapshot.of(services);
    expect(snapshot.match(url)?.id).toBe(owner);
    expect(snapshot.matchAll(url)[0]?.id).toBe(owner);
  });

  test('whatever text stands in the host, it is a host of the pattern', async () => {
    const snapshot = await ServiceSnapshot.of([
      registeredService({ id: '1', serviceId: patterns[0] ?? '' }),
    ]);
    fc.assert(
      fc.property(anyText(), (text) => {
        const url = `https://${text}.wild.test/`;
        if (snapshot.match(url) === undefined) return;
        expect(new URL(url).hostname).toMatch(/\.wild\.test$/);
      }),
      { numRuns: 200 },
    );
  });
});
