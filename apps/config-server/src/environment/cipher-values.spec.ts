// What becomes of `{cipher}` values.
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CryptoError } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import type { Property } from '@tessera/property-sources';
import { CipherValues } from './cipher-values.js';

const PLAIN = new Map([
  ['good', Buffer.from('sécret')],
  ['{key:old}good', Buffer.from('"it\'s"\n')],
  ['bytes', Buffer.from([0xff, 0xfe])],
]);

const notWithThisKey = new CryptoError('TEXT_UNDECRYPTABLE', 'not with this key');

/** Stands in for a key ring. */
const values = new CipherValues({
  decrypt(text) {
    const plain = PLAIN.get(text);
    return plain ? Promise.resolve(plain) : Promise.reject(notWithThisKey);
  },
});

function sourceOf(properties: Record<string, Property>): {
  name: string;
  properties: ReadonlyMap<string, Property>;
} {
  return { name: 'file:x.yml', properties: new Map(Object.entries(properties)) };
}

const origin = { line: 1, column: 2 };

describe('of a source', () => {
  test('one without protected values is the same object', async () => {
    const source = sourceOf({ a: { value: 'x {cipher}good', origin }, b: { value: true } });
    expect(await values.open(source)).toBe(source);
  });

  test('decrypted ones stand last, without an origin', async () => {
    const opened = await values.open(
      sourceOf({ a: { value: '{cipher}good', origin }, b: { value: 'x', origin } }),
    );
    expect([...opened.properties]).toEqual([
      ['b', { value: 'x', origin }],
      ['a', { value: 'sécret' }],
    ]);
    expect(opened.name).toBe('file:x.yml');
  });

  test.each([['{cipher}bad'], ['{cipher}bytes'], ['{cipher}']])(
    '%s becomes invalid.<key>',
    async (value) => {
      const opened = await values.open(sourceOf({ 'a.b': { value, origin } }));
      expect([...opened.properties]).toEqual([['invalid.a.b', { value: '<n/a>' }]]);
    },
  );

  test('selectors are handed on', async () => {
    const opened = await values.open(sourceOf({ a: { value: '{cipher}{key:old}good' } }));
    expect(opened.properties.get('a')).toEqual({ value: '"it\'s"\n' });
  });
});

describe('of a file', () => {
  test.each([
    ['nothing', 'nothing'],
    ['password {cipher}good;', 'password sécret;'],
    ['{cipher}good{cipher}good', 'sécretsécret'],
    ['{"a": "{cipher}{key:old}good"}', '{"a": "\\"it\'s\\"\\n"}'],
    ["a: '{cipher}{key:old}good'", "a: '\"it''s\"\n'"],
    ['a={cipher}bad\nb={cipher}good', 'a=<n/a>\nb=sécret'],
    ['{cipher}', '{cipher}'],
  ])('%j becomes %j', async (text, expected) => {
    expect(await values.openText(text, 'x.conf')).toBe(expected);
  });
});

describe('what a value protects', () => {
  let asked: string[];
  let running: number;
  let mostAtOnce: number;
  let counted: CipherValues;

  beforeEach(() => {
    [asked, running, mostAtOnce] = [[], 0, 0];
    counted = new CipherValues({
      async decrypt(text) {
        asked.push(text);
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        await turn();
        running -= 1;
        if (text === 'bad') throw notWithThisKey;
        if (text === 'later' && asked.length === 1) throw new Error('out of memory');
        return Buffer.from(text);
      },
    });
  });

  const valueOf = async (text: string): Promise<unknown> =>
    (await counted.open(sourceOf({ a: { value: `{cipher}${text}` } }))).properties.get('a')?.value;

  test.each([
    ['good', 'good'],
    ['bad', undefined],
  ])('is found out once, wherever it stands: %s', async (text, expected) => {
    const first = await Promise.all([valueOf(text), valueOf(text)]);
    expect([...first, await valueOf(text)]).toEqual([expected, expected, expected]);
    await counted.openText(`x {cipher}${text}`, 'x.conf');
    expect(asked).toEqual([text]);
  });

  test('is asked for again where it could not be found out', async () => {
    expect([await valueOf('later'), await valueOf('later')]).toEqual([undefined, 'later']);
  });

  test('is found out for a few at once', async () => {
    await counted.openText(numbered(100), 'x.conf');
    expect(mostAtOnce).toBe(4);
  });

  test('is found out so that others have a turn in between', async () => {
    let turns = 0;
    const others = new AbortController();
    const counting = (async () => {
      for (; !others.signal.aborted; turns += 1) await turn();
    })();
    await values.openText(numbered(100), 'x.conf');
    others.abort();
    await counting;
    expect(turns).toBeGreaterThanOrEqual(25);
  });

  test('is not asked for where there are more than a thousand', async () => {
    const properties = Array.from({ length: 1001 }, (_, n) => [`k${n}`, { value: `{cipher}${n}` }]);
    const source = sourceOf(Object.fromEntries(properties) as Record<string, Property>);
    const refusal = { code: 'SOURCE_MALFORMED', message: expect.stringMatching(/^(file:)?x\./) };
    await expect(counted.open(source)).rejects.toMatchObject(refusal);
    await expect(counted.openText(numbered(1001), 'x.conf')).rejects.toMatchObject(refusal);
    expect(asked).toEqual([]);
  });

  test('is told of once where it cannot be found out, however often it is asked for', async () => {
    const lines: string[] = [];
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
    for (let time = 0; time < 3; time += 1) {
      await valueOf('bad');
      await counted.openText('x {cipher}bad', 'x.conf');
    }
    await counted.open(sourceOf({ b: { value: '{cipher}bad' } }));
    configureLogging({ application: 'test', levels: { root: 'error' } });
    const places = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(places.map(({ key, file }) => key ?? file)).toEqual(['a', 'x.conf', 'b']);
    expect(lines.join('')).not.toContain('bad');
  });

  test('is kept within bounds', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'a']) await valueOf(name.repeat(600_000));
    expect(asked).toHaveLength(5);
  });
});

function numbered(count: number): string {
  return Array.from({ length: count }, (_, number) => `{cipher}${number}`).join(' ');
}
