import { createPublicKey, generateKeyPairSync, hash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import { encryptingFirst, readKeyStore, type StoredKey } from './key-store.js';

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
  return { alias, publicKeySha256: hash('sha256', der) };
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
    // A key without a name is called as the file.
    const named = keys.map((key) => ({ ...key, alias: key.alias ?? 'a' }));
    expect(stored.map(described)).toEqual(named);
  });
});

describe('the key of a store that encrypts', () => {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const named = (...aliases: readonly string[]) => aliases.map((alias) => ({ alias, key }));

  test.each<[string, readonly string[], string | undefined, readonly string[] | undefined]>([
    ['is none of several where none is named', ['a', 'b'], undefined, undefined],
    ['is none of another name', ['a', 'b'], 'c', undefined],
    ['is not the only one under another name', ['a'], 'c', undefined],
    ['is none of two of one name', ['a', 'A'], 'a', undefined],
    ['is none without a name where one has a name', ['a'], '', undefined],
    ['is the only one', ['a'], undefined, ['a']],
    ['is the one of that name, which then stands first', ['a', 'b', 'c'], 'b', ['b', 'a', 'c']],
    ['is told in any case of letters', ['a', 'Next'], 'nEXT', ['Next', 'a']],
  ])('%s', (_what, aliases, wanted, expected) => {
    const keys = encryptingFirst(named(...aliases), wanted);
    expect(keys?.map(({ alias }) => alias)).toEqual(expected);
  });
});
