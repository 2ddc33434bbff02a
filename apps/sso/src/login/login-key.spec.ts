import { beforeEach, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { newKeyFile } from '@tessera/crypto';
import { SsoSettings } from '../settings/sso-settings.js';
import { SealingKey } from './login-key.js';

const [OLD, NEW] = [newKeyFile('old').trim(), newKeyFile('new').trim()];

let key: SealingKey;

beforeEach(async () => {
  key = await opened(1);
});

/** @param byte of the key in the database @param keys of the settings */
async function opened(byte: number, ...keys: readonly string[]): Promise<SealingKey> {
  const argv = ['--profiles.active=dev', `--sso.login.keys=${keys.join(',')}`];
  const { settings } = await loadSettings(SsoSettings, { application: 'sso', env: {}, argv });
  const made = new SealingKey({ key: () => Promise.resolve(Buffer.alloc(32, byte)) }, settings);
  await made.onModuleInit();
  return made;
}

test('opens its sealed values, on every node with the same key', async () => {
  const other = await opened(1);
  const text = await key.seal('login-form', { a: ['ä'] });
  expect(await other.open('login-form', text)).toEqual({ a: ['ä'] });
});

test.each([[[]], [[NEW]]])(
  'opens nothing that was sealed for another purpose or with another key: %j',
  async (keys) => {
    key = await opened(1, ...keys);
    const text = await key.seal('login-form', {});
    expect(await key.open('session-cookie', text)).toBeUndefined();
    expect(
      await key.open('session-cookie', text.replace('login-form', 'session-cookie')),
    ).toBeUndefined();
    expect(
      await (await opened(2, newKeyFile('new').trim())).open('login-form', text),
    ).toBeUndefined();
  },
);

test.each<[string, readonly string[], readonly string[], boolean]>([
  ['a key that is in front of its own', [OLD], [NEW, OLD], true],
  ['a key that is behind its own', [NEW], [OLD, NEW], true],
  ['a key that was taken out', [OLD], [NEW], false],
  ['the key in the database, once there are others', [], [NEW], false],
  ['a key of the settings, once there are none', [NEW], [], false],
])('opens what was sealed with %s: %j, %j: %s', async (_, before, after, isOpened) => {
  const text = await (await opened(1, ...before)).seal('session-cookie', { a: 1 });
  const outcome = await (await opened(1, ...after)).open('session-cookie', text);
  expect(outcome).toEqual(isOpened ? { a: 1 } : undefined);
});

test('names the key in sealed values', async () => {
  expect(await (await opened(1, NEW, OLD)).seal('login-form', {})).toMatch(/^v1\.new\./);
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
