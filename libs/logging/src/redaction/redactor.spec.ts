import { describe, expect, test } from '@jest/globals';
import { Redactor } from './redactor.js';
import { isSecretField } from './secret-fields.js';

const clean = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(new Redactor().value(value) ?? null));

describe('a field is secret by its name:', () => {
  test.each([
    'password',
    'PASSWORD',
    'userPassword',
    'passwd',
    'pwd',
    'pass',
    'passphrase',
    'secret',
    'client_secret',
    'token',
    'X-Vault-Token',
    'accessToken',
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'cert',
    'clientCert',
    'pem',
    'pgtId',
    'pgt',
    'privateKey',
    'private-key',
    'encrypt.key',
    'apiKey',
    'keyMaterial',
    'key_store',
    'rawHeaders',
    'webhook-secret',
  ])('%s', (name) => expect(isSecretField(name)).toBe(true));

  test.each([
    'user',
    'key',
    'keys',
    'concert',
    'certain',
    'service',
    'ticket',
    'passed',
    'compass',
    'bypass',
    'count',
  ])('not %s', (name) => expect(isSecretField(name)).toBe(false));
});

describe('a value is cleaned:', () => {
  const circle: Record<string, unknown> = { name: 'a' };
  circle['self'] = circle;
  const shared = { a: 1 };
  const throwing = {
    good: 1,
    get bad(): never {
      throw new Error('no');
    },
  };
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  const endless = { toJSON: (): unknown => ({ toJSON: endless.toJSON }) };

  test.each<[string, unknown, unknown]>([
    ['plain data stays', { a: [1, true, null, 'x'] }, { a: [1, true, null, 'x'] }],
    [
      'secrets go, whatever they are',
      { a: { password: { b: 1 }, Cookie: ['x'] } },
      { a: { password: '[redacted]', Cookie: '[redacted]' } },
    ],
    ['tickets go at any depth', { a: [{ b: 'ST-1234567890abcdef' }] }, { a: [{ b: 'ST-…cdef' }] }],
    ['names are cleaned too', { 'TGT-1234567890abcdef\n': 1 }, { 'TGT-…cdef\\u000a': 1 }],
    ['a circle ends', circle, { name: 'a', self: '[circular]' }],
    ['the same object in two places is no cycle', [shared, shared], [{ a: 1 }, { a: 1 }]],
    ['depth ends', [[[[[[['x']]]]]]], [[[[[['[too deep]']]]]]]],
    ['a toJSON without end ends', endless, '[too deep]'],
    ['a getter that throws costs itself alone', throwing, { good: 1, bad: '[unreadable]' }],
    ['an object that cannot be listed', hostile, '[unreadable]'],
    ['bytes are counted', Buffer.from('geheim'), '[6 bytes]'],
    ['an array buffer too', new ArrayBuffer(3), '[3 bytes]'],
    [
      'maps and sets',
      new Map<unknown, unknown>([
        ['token', 1],
        [2, new Set(['x'])],
      ]),
      { token: '[redacted]', 2: ['x'] },
    ],
    ['dates', [new Date(0), new Date(NaN)], ['1970-01-01T00:00:00.000Z', 'Invalid Date']],
    ['addresses', new URL('http://u:geheim@h/'), 'http://u:[redacted]@h/'],
    ['patterns', /ST-1234567890abcdef/g, '/ST-…cdef/g'],
    ['numbers JSON cannot hold', [NaN, Infinity, 10n], ['NaN', 'Infinity', '10']],
    ['functions and symbols', [() => 1, Symbol('a\nb')], ['[function]', 'Symbol(a\\u000ab)']],
    ['holes', [undefined], [null]],
    ['what has no prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      'stacks that are text',
      { type: 'Error', stack: 'a\n  at b' },
      { type: 'Error', stack: ['a', '  at b'] },
    ],
  ])('%s', (_rule, value, cleaned) => {
    expect(clean(value)).toEqual(cleaned);
  });

  test('errors keep what helps and nothing people typed', () => {
    const error = Object.assign(
      new TypeError('no ST-1234567890abcdef', { cause: new Error('below') }),
      {
        code: '23505',
        detail: 'Key (username)=(geheim)',
        parameters: ['geheim'],
      },
    );
    const cleaned = clean({ error }) as { error: Record<string, unknown> };
    expect(cleaned.error).toMatchObject({
      type: 'TypeError',
      message: 'no ST-…cdef',
      code: '23505',
      stack: expect.arrayContaining(['TypeError: no ST-…cdef']),
      cause: { type: 'Error', message: 'below' },
    });
    expect(JSON.stringify(cleaned)).not.toMatch(/geheim|1234567890/);
  });

  test('errors of several errors show each', () => {
    expect(clean(new AggregateError([new Error('a'), 'b'], 'both'))).toMatchObject({
      type: 'AggregateError',
      errors: [{ message: 'a' }, 'b'],
    });
  });

  test('bounds hold for lists, names, values and characters', () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    expect(clean(many)).toHaveLength(101);
    expect(clean(many)).toContain('[400 more]');
    expect(clean(Object.fromEntries(many.map((name) => [name, 1])))).toHaveProperty('…', '[cut]');
    const wide = Array.from({ length: 90 }, () => many);
    expect(JSON.stringify(clean(wide)).length).toBeLessThan(20_000);
    const long = Array.from({ length: 90 }, () => 'x'.repeat(100_000));
    expect(JSON.stringify(clean(long)).length).toBeLessThan(80_000);
  });
});
