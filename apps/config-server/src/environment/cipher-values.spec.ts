import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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

const undecryptable = new CryptoError('TEXT_UNDECRYPTABLE', 'not with this key');

/** With a fake key ring. */
const values = new CipherValues({
  decrypt(text) {
    const plain = PLAIN.get(text);
    return plain ? Promise.resolve(plain) : Promise.reject(undecryptable);
  },
});

function sourceOf(properties: Record<string, Property>): {
  name: string;
  properties: ReadonlyMap<string, Property>;
} {
  return { name: 'file:x.yml', properties: new Map(Object.entries(properties)) };
}

const origin = { line: 1, column: 2 };

describe('in a source', () => {
  test('a source without protected values is the same object', async () => {
    const source = sourceOf({ a: { value: 'x {cipher}good', origin }, b: { value: true } });
    expect(await values.decryptSource(source)).toBe(source);
  });

  test('decrypted values are last, without an origin', async () => {
    const decrypted = await values.decryptSource(
      sourceOf({ a: { value: '{cipher}good', origin }, b: { value: 'x', origin } }),
    );
    expect([...decrypted.properties]).toEqual([
      ['b', { value: 'x', origin }],
      ['a', { value: 'sécret', isLiteral: true }],
    ]);
    expect(decrypted.name).toBe('file:x.yml');
  });

  test.each([['{cipher}bad'], ['{cipher}bytes'], ['{cipher}']])(
    '%s becomes invalid.<key>',
    async (value) => {
      const decrypted = await values.decryptSource(sourceOf({ 'a.b': { value, origin } }));
      expect([...decrypted.properties]).toEqual([['invalid.a.b', { value: '<n/a>' }]]);
    },
  );

  test('selectors are passed to the decryptor', async () => {
    const decrypted = await values.decryptSource(
      sourceOf({ a: { value: '{cipher}{key:old}good' } }),
    );
    expect(decrypted.properties.get('a')).toEqual({
      value: '"it\'s"\n',
      isLiteral: true,
    });
  });
});

describe('in a file', () => {
  test.each([
    ['nothing', 'nothing'],
    ['password {cipher}good;', 'password sécret;'],
    ['{cipher}good{cipher}good', 'sécretsécret'],
    ['{"a": "{cipher}{key:old}good"}', '{"a": "\\"it\'s\\"\\n"}'],
    ["a: '{cipher}{key:old}good'", "a: '\"it''s\"\n'"],
    ['a={cipher}bad\nb={cipher}good', 'a=<n/a>\nb=sécret'],
    ['{cipher}', '{cipher}'],
  ])('%j becomes %j', async (text, expected) => {
    expect(await values.decryptText(text, 'x.conf')).toBe(expected);
  });
});

describe('a plaintext', () => {
  let requested: string[];
  let running: number;
  let mostAtOnce: number;
  let counted: CipherValues;

  beforeEach(() => {
    [requested, running, mostAtOnce] = [[], 0, 0];
    counted = new CipherValues({
      async decrypt(text) {
        requested.push(text);
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        await yieldToEventLoop();
        running -= 1;
        if (text === 'bad') throw undecryptable;
        if (text === 'later' && requested.length === 1) throw new Error('out of memory');
        return Buffer.from(text);
      },
    });
  });

  const valueOf = async (text: string): Promise<unknown> =>
    (await counted.decryptSource(sourceOf({ a: { value: `{cipher}${text}` } }))).properties.get('a')
      ?.value;

  test.each([
    ['good', 'good'],
    ['bad', undefined],
  ])('is decrypted once for all places: %s', async (text, expected) => {
    const first = await Promise.all([valueOf(text), valueOf(text)]);
    expect([...first, await valueOf(text)]).toEqual([expected, expected, expected]);
    await counted.decryptText(`x {cipher}${text}`, 'x.conf');
    expect(requested).toEqual([text]);
  });

  test('is requested again after an error that may be temporary', async () => {
    expect([await valueOf('later'), await valueOf('later')]).toEqual([undefined, 'later']);
  });

  test('is decrypted for a few values at once', async () => {
    await counted.decryptText(numbered(100), 'x.conf');
    expect(mostAtOnce).toBe(4);
  });

  test('is decrypted without blocking the event loop', async () => {
    let turns = 0;
    const others = new AbortController();
    const counting = (async () => {
      for (; !others.signal.aborted; turns += 1) await yieldToEventLoop();
    })();
    await values.decryptText(numbered(100), 'x.conf');
    others.abort();
    await counting;
    expect(turns).toBeGreaterThanOrEqual(25);
  });

  test('is not requested for more than a thousand values', async () => {
    const properties = Array.from({ length: 1001 }, (_, n) => [`k${n}`, { value: `{cipher}${n}` }]);
    const source = sourceOf(Object.fromEntries(properties) as Record<string, Property>);
    const error = { code: 'SOURCE_MALFORMED', message: expect.stringMatching(/^(file:)?x\./) };
    await expect(counted.decryptSource(source)).rejects.toMatchObject(error);
    await expect(counted.decryptText(numbered(1001), 'x.conf')).rejects.toMatchObject(error);
    expect(requested).toEqual([]);
  });

  test('is logged once for each place if it cannot be decrypted', async () => {
    const lines: string[] = [];
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
    for (let time = 0; time < 3; time += 1) {
      await valueOf('bad');
      await counted.decryptText('x {cipher}bad', 'x.conf');
    }
    await counted.decryptSource(sourceOf({ b: { value: '{cipher}bad' } }));
    configureLogging({ application: 'test', levels: { root: 'error' } });
    const places = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(places.map(({ key, file }) => key ?? file)).toEqual(['a', 'x.conf', 'b']);
    expect(lines.join('')).not.toContain('bad');
  });

  test('is cached up to a maximum size', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'a']) await valueOf(name.repeat(600_000));
    expect(requested).toHaveLength(5);
  });
});

function numbered(count: number): string {
  return Array.from({ length: count }, (_, number) => `{cipher}${number}`).join(' ');
}
