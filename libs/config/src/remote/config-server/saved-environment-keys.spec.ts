// The keys of the saved answer: which key encrypts it, and which ciphertexts are rejected although a key decrypts them.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  envelopeRingKey,
  KeyRing,
  passwordRingKey,
  rsaRingKey,
  type RingKey,
} from '@tessera/crypto';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { SavedEnvironment } from './saved-environment.js';

const SERVER = 'https://config.example.org';
const NAME = { application: 'sso', profiles: ['prod'], label: '' };
const JSON_TEXT = '{"propertySources":[]}';
const TIME = new Date('2026-01-02T03:04:05Z');
const SAVED = { name: 'sso, profiles prod', server: SERVER, time: TIME.toISOString() };
const PLAIN = Buffer.from(JSON.stringify({ ...SAVED, json: JSON_TEXT }));
const ENVELOPE = envelopeRingKey({ kid: 'a', key: randomBytes(32) });
const RSA = rsaKey();

let folder: string;
let path: string;
let spring: RingKey;

beforeAll(async () => {
  folder = await makeFolder();
  path = join(folder, 'kept');
  const key = { password: 'password', salt: 'deadbeef', format: 'spring' } as const;
  spring = await passwordRingKey({ ...key, alias: 'spring' });
});
afterAll(() => removeFolder(folder));

function rsaKey(): RingKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return rsaRingKey('rsa', privateKey, { padding: 'DEFAULT', strong: false, salt: 'deadbeef' });
}

async function opened(keys: KeyRing): Promise<SavedEnvironment> {
  const lastKnownGood = await SavedEnvironment.open(path, keys);
  if (!lastKnownGood) throw new Error('no key is good enough');
  return lastKnownGood;
}

test('writes with the first key whose texts show every change', async () => {
  const lastKnownGood = await opened(new KeyRing([RSA, spring, ENVELOPE]));
  await lastKnownGood.save(NAME, { server: SERVER, time: TIME, json: Buffer.from(JSON_TEXT) });
  expect(await readFile(path, 'latin1')).toMatch(/^v1\.a\./);
  const loaded = await lastKnownGood.load(NAME, [SERVER]);
  expect(loaded).toEqual({ server: SERVER, time: TIME, environment: [] });
});

test('is not to be had without such a key', async () => {
  expect(await SavedEnvironment.open(path, new KeyRing([RSA, spring]))).toBeUndefined();
});

describe('believes no text', () => {
  test.each<[string, (keys: KeyRing) => Promise<string>]>([
    ['of an RSA key', (keys) => keys.encrypt(PLAIN, 'rsa')],
    ['of the cipher of Spring', (keys) => keys.encrypt(PLAIN, 'spring')],
    ['after a selector', async (keys) => `{key:a}${await keys.encrypt(PLAIN, 'a')}`],
  ])('%s, though a key reads it', async (_which, forge) => {
    const keys = new KeyRing([ENVELOPE, RSA, spring]);
    const text = await forge(keys);
    expect(await keys.decrypt(text)).toEqual(PLAIN);
    await writeFile(path, text, { mode: 0o600 });
    const error = `${path} is damaged, or was encrypted with another key`;
    expect(await (await opened(keys)).load(NAME, [SERVER])).toBe(error);
  });
});
