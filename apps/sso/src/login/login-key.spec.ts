import { beforeEach, expect, test } from '@jest/globals';
import { LoginKey } from './login-key.js';
import type { LoginStore } from './login-store.js';

const store = (byte: number): LoginStore =>
  ({ key: () => Promise.resolve(Buffer.alloc(32, byte)) }) as unknown as LoginStore;

let key: LoginKey;

beforeEach(async () => {
  key = new LoginKey(store(1));
  await key.onModuleInit();
});

test('opens what it sealed, on every node with the same key', async () => {
  const other = new LoginKey(store(1));
  await other.onModuleInit();
  const text = await key.seal('login-form', { a: ['ä'] });
  expect(await other.open('login-form', text)).toEqual({ a: ['ä'] });
});

test('opens nothing that was sealed for another purpose or with another key', async () => {
  const text = await key.seal('login-form', {});
  expect(await key.open('session-cookie', text)).toBeUndefined();
  expect(
    await key.open('session-cookie', text.replace('login-form', 'session-cookie')),
  ).toBeUndefined();
  const other = new LoginKey(store(2));
  await other.onModuleInit();
  expect(await other.open('login-form', text)).toBeUndefined();
});

test('seals nothing before it has read the key', () => {
  expect(() => new LoginKey(store(1)).seal('login-form', {})).toThrow('not initialised');
});

test('gives 100,000 texts unique nonces', async () => {
  const nonces = new Set<string>();
  for (let count = 0; count < 100_000; count += 1) {
    const [, , sealed = ''] = (await key.seal('login-form', {})).split('.');
    // 16 characters of Base64 are the 12 bytes of a nonce.
    nonces.add(sealed.slice(0, 16));
  }
  expect(nonces.size).toBe(100_000);
});
