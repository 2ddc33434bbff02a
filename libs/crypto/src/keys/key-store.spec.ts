import { createPublicKey, hash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import { readKeyStore, type StoredKey } from './key-store.js';

const vectors = keyStoreVectors();
const quick = vectors.find(({ writtenBy }) => writtenBy === 'openssl 3.0');
const usable = vectors.filter(({ keys }) => keys.length > 0);
const useless = vectors.filter(({ keys }) => keys.length === 0);
const CONVERSION =
  'keytool -importkeystore -srckeystore a.jks -destkeystore a.jks.p12 -deststoretype pkcs12';

async function faultOf(content: Buffer, password: string): Promise<unknown> {
  return readKeyStore(content, 'a.jks', password).then(
    () => 'opened',
    (thrown: unknown) => thrown,
  );
}

function described({ alias, key }: StoredKey): object {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { alias: alias ?? null, publicKeySha256: hash('sha256', der) };
}

describe('a key store', () => {
  test.each([
    ['JKS', 'feedfeed00000002'],
    ['JCEKS', 'cececece00000002'],
  ])('that is %s is refused with the command that converts it', async (kind, bytes) => {
    expect(await faultOf(Buffer.from(bytes, 'hex'), 'changeit')).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `a.jks is a ${kind} key store; make it PKCS#12: ${CONVERSION}`,
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['three bytes', Buffer.alloc(3)],
    ['text', Buffer.from('Mellon')],
    ['a store that is cut off', quick!.content.subarray(0, -1)],
    ['a store with a byte changed', Buffer.from(quick!.content).fill(1, 600, 601)],
  ])('that is %s is refused', async (_what, content) => {
    expect(await faultOf(content, 'changeit')).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: 'a.jks cannot be opened: it is no PKCS#12, or its password is another',
    });
  });

  test('is not opened by another password, which nobody is told', async () => {
    const error = await faultOf(quick!.content, 'Mellon');
    expect(error).toHaveProperty('code', 'KEY_UNUSABLE');
    expect(inspect(error)).not.toContain('Mellon');
  });

  test.each(useless)('without an RSA key is refused: $writtenBy', async ({ content, password }) => {
    expect(await faultOf(content, password)).toHaveProperty('code', 'KEY_UNUSABLE');
  });

  test('with a secret key is refused, and says so', async () => {
    const store = useless.find(({ writtenBy }) => writtenBy.endsWith('of a secret key'));
    expect(await faultOf(store!.content, store!.password)).toMatchObject({
      message:
        'a.jks holds a secret key, which cannot be read: have a store with the RSA keys alone (keytool -delete)',
    });
  });

  test.each(usable)('of $writtenBy gives its RSA keys', async ({ content, password, keys }) => {
    const stored = await readKeyStore(content, 'a.p12', password);
    expect(stored.map(described)).toEqual(keys);
  });
});
