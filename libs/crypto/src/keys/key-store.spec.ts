import { createPublicKey, generateKeyPairSync, hash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import forge from 'node-forge';
import { jksOf } from '../../../../test/support/jks.js';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import {
  encryptionKeyFirst,
  highestIterationCount,
  looksLikeKeyStore,
  readKeyStore,
  type StoredKey,
} from './key-store.js';

const vectors = keyStoreVectors();
const quick = vectors.find(({ writtenBy }) => writtenBy === 'openssl 3.0');
const usable = vectors.filter(({ keys }) => keys.length > 0);
const unusable = vectors.filter(({ keys }) => keys.length === 0);
const CONVERSION =
  'keytool -importkeystore -srckeystore a.jks -destkeystore a.jks.p12 -deststoretype pkcs12';

async function errorOf(content: Buffer, password: string): Promise<unknown> {
  return readKeyStore(content, 'a.jks', password).then(
    () => 'opened',
    (thrown: unknown) => thrown,
  );
}

function described({ alias, key }: StoredKey): object {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { alias, publicKeySha256: hash('sha256', spki) };
}

describe('a key store', () => {
  test('that is JCEKS is refused with the command that converts it', async () => {
    expect(await errorOf(Buffer.from('cececece00000002', 'hex'), 'changeit')).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `a.jks is a JCEKS key store; make it PKCS#12: ${CONVERSION}`,
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['three bytes', Buffer.alloc(3)],
    ['text', Buffer.from('Mellon')],
    ['a store that is cut off', quick!.content.subarray(0, -1)],
    ['a store with a byte changed', Buffer.from(quick!.content).fill(1, 600, 601)],
  ])('that is %s is refused', async (_what, content) => {
    expect(await errorOf(content, 'changeit')).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: 'a.jks cannot be opened: it is not PKCS#12, or the password is wrong',
    });
  });

  test('is not opened by another password, which the error does not quote', async () => {
    const error = await errorOf(quick!.content, 'Mellon');
    expect(error).toHaveProperty('code', 'KEY_UNUSABLE');
    expect(inspect(error)).not.toContain('Mellon');
  });

  test.each(unusable)(
    'without an RSA key is refused: $writtenBy',
    async ({ content, password }) => {
      expect(await errorOf(content, password)).toHaveProperty('code', 'KEY_UNUSABLE');
    },
  );

  test('with a secret key is refused, and says so', async () => {
    const store = unusable.find(({ writtenBy }) => writtenBy.endsWith('of a secret key'));
    expect(await errorOf(store!.content, store!.password)).toMatchObject({
      message:
        'a.jks holds a secret key, which is not supported: use a store with RSA keys only (keytool -delete)',
    });
  });

  test('with a key of another password is refused, and says so', async () => {
    const store = unusable.find(({ writtenBy }) => writtenBy.endsWith('of its own for the key'));
    expect(await errorOf(store!.content, store!.password)).toMatchObject({
      message: expect.stringContaining("a.jks holds a key with another password than the store's"),
    });
  });

  test('with a key of another password in JKS is refused, and says so', async () => {
    const store = vectors.find(({ keyPassword }) => keyPassword !== undefined);
    expect(await errorOf(store!.content, store!.password)).toMatchObject({
      code: 'KEY_UNUSABLE',
      message: 'a.jks holds a key with another password: config',
    });
  });

  test('of JKS with a key that OpenSSL does not know is refused', async () => {
    expect(
      await errorOf(jksOf([{ alias: 'a', key: Buffer.from('no key') }]), 'changeit'),
    ).toMatchObject({
      message: 'a.jks holds no RSA private key',
    });
  });

  test.each(usable)('of $writtenBy gives its RSA keys', async (vector) => {
    const { content, password, keyPassword, keys } = vector;
    expect(looksLikeKeyStore(content)).toBe(true);
    const stored = await readKeyStore(content, 'a.p12', password, keyPassword);
    // A key without a name gets that of the file.
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
    ['is the one of that name, which then comes first', ['a', 'b', 'c'], 'b', ['b', 'a', 'c']],
    ['is found case-insensitively', ['a', 'Next'], 'nEXT', ['Next', 'a']],
  ])('%s', (_what, aliases, wanted, expected) => {
    const keys = encryptionKeyFirst(named(...aliases), wanted);
    expect(keys?.map(({ alias }) => alias)).toEqual(expected);
  });
});

const OID = {
  data: '2a864886f70d010701',
  encryptedData: '2a864886f70d010706',
  shroudedKeyBag: '2a864886f70d010c0a0102',
  sha1: '2b0e03021a',
  pbes2: '2a864886f70d01050d',
  pbkdf2: '2a864886f70d01050c',
  pbeWithSha1And3Des: '2a864886f70d010c0103',
} as const;
const [SEQUENCE, OCTETS, INTEGER, CONTEXT_0, CHUNKED_OCTETS] = [0x30, 0x04, 0x02, 0xa0, 0x24];

function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
  );
  const { length } = content;
  const written = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...written]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(SEQUENCE, ...parts);
const oid = (name: keyof typeof OID) => der(0x06, OID[name]);
const integer = (digits: string) => der(INTEGER, digits);
const salt = der(OCTETS, 'a1b2c3d4e5f60718');

/** Made by hand, because writing one with so many iterations takes as long as reading it. */
function storeOf(content: Buffer, ...mac: readonly Buffer[]): Buffer {
  return sequence(integer('03'), sequence(oid('data'), der(CONTEXT_0, content)), ...mac);
}

const octets = (...content: readonly Buffer[]) => der(OCTETS, sequence(...content));
const pbes2 = (count: string) =>
  sequence(
    oid('pbes2'),
    sequence(sequence(oid('pbkdf2'), sequence(salt, integer(count), integer('20')))),
  );
const pbes1 = (count: string) =>
  sequence(oid('pbeWithSha1And3Des'), sequence(salt, integer(count)));
const encrypted = (algorithm: Buffer) =>
  sequence(
    oid('encryptedData'),
    der(CONTEXT_0, sequence(integer('00'), sequence(oid('data'), algorithm, der(0x80, 'ffee')))),
  );
const shrouded = (algorithm: Buffer) => {
  const bag = sequence(
    oid('shroudedKeyBag'),
    der(CONTEXT_0, sequence(algorithm, der(OCTETS, 'ffee'))),
  );
  return sequence(oid('data'), der(CONTEXT_0, octets(bag)));
};
const mac = (count: string) =>
  sequence(sequence(sequence(oid('sha1')), der(OCTETS, 'ff'.repeat(20))), salt, integer(count));

describe('a key store that needs too many iterations', () => {
  const inPieces = (whole: Buffer) =>
    der(CHUNKED_OCTETS, der(OCTETS, whole.subarray(0, 40)), der(OCTETS, whole.subarray(40)));
  const safes = sequence(encrypted(pbes2('0f4241')));

  test.each<[string, Buffer, string]>([
    ['of its MAC', storeOf(octets(), mac('0f4241')), '1000001'],
    ['of its MAC without end', storeOf(octets(), mac('7fffffffffffff')), '36028797018963970'],
    ['of what is encrypted', storeOf(octets(encrypted(pbes2('2dc6c0')))), '3000000'],
    ['of PBES1 encryption', storeOf(octets(encrypted(pbes1('2dc6c0')))), '3000000'],
    ['of a key', storeOf(octets(shrouded(pbes2('2dc6c0')))), '3000000'],
    ['of a key in PBES1', storeOf(octets(shrouded(pbes1('2dc6c0')))), '3000000'],
    [
      'of one among others',
      storeOf(octets(shrouded(pbes2('03e8')), shrouded(pbes2('0f4241'))), mac('01')),
      '1000001',
    ],
    ['in a store that is in pieces', storeOf(inPieces(safes)), '1000001'],
  ])('is refused before any work, with the count: %s', async (_what, store, count) => {
    await expect(readKeyStore(store, 'a.p12', 'changeit')).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `a.p12 needs ${count} iterations; at most 1000000 are allowed`,
    });
  });

  test('is not one with the highest allowed count', () => {
    const store = forge.asn1.fromDer(storeOf(octets(), mac('0f4240')).toString('latin1'));
    expect(highestIterationCount(forge, store)).toBe(1_000_000);
  });

  test.each([
    ['keytool of OpenJDK 17, told 1000 iterations', 1_000],
    ['openssl 3.0', 2_048],
  ])('is not one of %s', (writtenBy, count) => {
    const vector = keyStoreVectors().find((each) => each.writtenBy === writtenBy);
    const store = forge.asn1.fromDer(vector?.content.toString('latin1') ?? '');
    expect(highestIterationCount(forge, store)).toBe(count);
  });
});
