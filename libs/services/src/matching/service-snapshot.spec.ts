import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { registeredService } from '../../test/registered-service.js';
import type { RegisteredService } from '../registered-service.js';
import { parsedSpellings } from './parsed-url.js';
import { inEvaluationOrder, ServiceSnapshot } from './service-snapshot.js';

const snapshotOf = (...services: readonly Partial<RegisteredService>[]) =>
  ServiceSnapshot.of(
    services.map((each, at) => registeredService({ id: String(at + 1), ...each })),
  );

describe('matching', () => {
  test('an empty registry matches nothing', async () => {
    expect((await snapshotOf()).match('https://a.example.org/')).toBeUndefined();
    expect(ServiceSnapshot.empty.match('')).toBeUndefined();
  });

  test('the first match decides even when it is disabled', async () => {
    const snapshot = await snapshotOf(
      { serviceId: 'https://.*', evaluationOrder: 2 },
      { serviceId: 'https://a/.*', evaluationOrder: 1, enabled: false },
    );
    expect(snapshot.match('https://a/')).toMatchObject({ id: '2', enabled: false });
    expect(snapshot.match('https://b/')).toMatchObject({ id: '1' });
    expect(snapshot.match('http://b/')).toBeUndefined();
  });

  test('a service with an invalid pattern matches nothing, and does not affect the others', async () => {
    const snapshot = await snapshotOf(
      { serviceId: 'https://a/(', evaluationOrder: 1 },
      { serviceId: 'https://a/.*', evaluationOrder: 2 },
    );
    expect(snapshot.match('https://a/(')).toMatchObject({ id: '2' });
    expect(snapshot.unmatchable).toMatchObject([
      { service: { id: '1' }, reason: expect.stringMatching(/missing closing/) },
    ]);
  });

  test('many patterns that a URL could match together are told apart', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({
      serviceId: `^https://([a-z0-9-]+\\.)*app${n}\\.example\\.org(/.*)?$`,
      evaluationOrder: n,
    }));
    const snapshot = await snapshotOf(...many, { serviceId: '.*', evaluationOrder: 9_999 });
    const url = `https://x/${many.map((_, n) => `app${n}.example.org`).join('/')}`.slice(0, 8_000);
    expect(snapshot.match(url)).toBeUndefined();
    expect(snapshot.match('https://app7.example.org/')).toMatchObject({ evaluationOrder: 7 });
  });

  test('where an earlier service would take too long, no later one matches in its place', async () => {
    const snapshot = await snapshotOf(
      { serviceId: '(\\pL{0,300}-.*){3}', evaluationOrder: 1 },
      { serviceId: '.*', evaluationOrder: 2 },
    );
    expect(snapshot.match('!')).toMatchObject({ id: '2' });
    expect(snapshot.match('!'.repeat(2_000))).toBeUndefined();
  });

  test('a URL of more than 8,192 characters matches nothing', async () => {
    const snapshot = await snapshotOf({ serviceId: '.*' });
    expect(snapshot.match('a'.repeat(8_192))).toMatchObject({ id: '1' });
    expect(snapshot.match('a'.repeat(8_193))).toBeUndefined();
  });

  test('a repeated match gives the same result', async () => {
    const snapshot = await snapshotOf({ serviceId: 'https://a/.*' });
    expect([1, 2].map(() => snapshot.match('https://a/')?.id)).toEqual(['1', '1']);
    expect([1, 2].map(() => snapshot.match('https://b/')?.id)).toEqual([undefined, undefined]);
  });

  test('a snapshot after another one matches only its own services', async () => {
    const before = await snapshotOf({ serviceId: 'https://a/[0-9]+' });
    const after = await ServiceSnapshot.of(
      [registeredService({ id: '7', serviceId: 'https://b/[0-9]+' })],
      before,
    );
    expect(after.match('https://a/1')).toBeUndefined();
    expect(after.match('https://b/1')).toMatchObject({ id: '7' });
    expect(before.match('https://a/1')).toMatchObject({ id: '1' });
  });
});

test('evaluation order is by number, then name, serviceId, disabled first, and id', () => {
  const ordered = [
    { evaluationOrder: -1, name: 'z', serviceId: 'z', id: '9' },
    { evaluationOrder: 5, name: 'A', serviceId: 'z', id: '8' },
    { evaluationOrder: 5, name: 'a', serviceId: 'a', id: '7' },
    { evaluationOrder: 5, name: 'a', serviceId: 'b', id: '11', enabled: false },
    { evaluationOrder: 5, name: 'a', serviceId: 'b', id: '9' },
    { evaluationOrder: 5, name: 'a', serviceId: 'b', id: '10' },
    { evaluationOrder: 5, name: 'B', serviceId: 'a', id: '2' },
    { evaluationOrder: 5, name: 'c', serviceId: 'a', id: '3' },
    { evaluationOrder: 10, name: 'a', serviceId: 'a', id: '1' },
  ].map(registeredService);
  expect(inEvaluationOrder(ordered.toReversed())).toEqual(ordered);
});

describe('the index finds the service that trying every pattern in order would', () => {
  const letter = fc.constantFrom(
    'a',
    'b',
    'K',
    's',
    '.',
    '/',
    ':',
    '?',
    '\u212a',
    '\u017f',
    '\u0130',
  );
  const word = fc.constantFrom('https', 'http', '://', 'app1', 'app', 'example', '.org', '/', 'x');
  const url = fc
    .array(fc.oneof(word, letter, fc.constantFrom('\n', '\ud83d\ude00', '1', '')), { maxLength: 9 })
    .map((parts) => parts.join(''));
  const atom = fc.oneof(
    word.map((text) => RE2JS.quote(text)),
    letter.map((text) => RE2JS.quote(text)),
    fc.constantFrom('.', '.*', '[^/]+', '\\d', '[[:alpha:]]', '[]/]', '\\pL', '\\x41', '\\Q.a\\E'),
    fc.constantFrom('(?i)', '(?-i)', '(?s)', '^', '$', '\\b', 'a{,2}', '\u00e9', '{', ' '),
  );
  const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
    pattern: fc
      .array(tie('sequence'), { minLength: 1, maxLength: 2 })
      .map((alternatives) => alternatives.join('|')),
    sequence: fc.array(tie('item'), { maxLength: 5 }).map((items) => items.join('')),
    item: fc
      .tuple(
        fc.oneof(
          { maxDepth: 3 },
          atom,
          fc
            .tuple(fc.constantFrom('(', '(?:', '(?P<n>', '(?i:'), tie('pattern'))
            .map(([open, inner]) => `${open}${inner})`),
        ),
        fc.constantFrom('', '', '', '', '?', '*', '+', '{2}', '{0,2}', '??', '+?'),
      )
      .map(([item, quantifier]) => item + quantifier),
  }));

  const compiled = (text: string) => {
    try {
      return RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
    } catch {
      return undefined;
    }
  };

  test('for any patterns and URLs', async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(pattern, { minLength: 1, maxLength: 8 }),
        fc.array(url, { minLength: 1, maxLength: 8 }),
        async (patterns, urls) => {
          const services = patterns.map((serviceId, at) => ({ serviceId, evaluationOrder: at }));
          const snapshot = await snapshotOf(...services);
          const inOrder = patterns.map(compiled);
          const firstOf = (text: string) => inOrder.findIndex((regex) => regex?.matches(text));
          const naive = urls.map((each) => {
            const spellings = parsedSpellings(each);
            const parsed = spellings?.map(firstOf).filter((at) => at >= 0) ?? [];
            const at = firstOf(each);
            const isRead = spellings?.length === 0 || parsed.length > 0;
            return isRead && parsed.every((other) => other === at) ? at : -1;
          });
          expect(urls.map((each) => snapshot.match(each)?.evaluationOrder ?? -1)).toEqual(naive);
          matched += naive.filter((at) => at >= 0).length;
        },
      ),
      { numRuns: 200 },
    );
    // Otherwise the test would prove little.
    expect(matched).toBeGreaterThan(20);
  });
});
