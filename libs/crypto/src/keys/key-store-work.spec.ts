import { describe, expect, test } from '@jest/globals';
import forge from 'node-forge';
import { keyStoreVectors } from '../../../../test/support/key-stores.js';
import { mostIterations } from './key-store-work.js';
import { readKeyStore } from './key-store.js';

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

/** Made by hand: to write one with that many iterations takes as long as to read it. */
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

describe('a key store that asks for too much work', () => {
  const inPieces = (whole: Buffer) =>
    der(CHUNKED_OCTETS, der(OCTETS, whole.subarray(0, 40)), der(OCTETS, whole.subarray(40)));
  const safes = sequence(encrypted(pbes2('0f4241')));

  test.each<[string, Buffer, string]>([
    ['of its MAC', storeOf(octets(), mac('0f4241')), '1000001'],
    ['of its MAC without end', storeOf(octets(), mac('7fffffffffffff')), '36028797018963970'],
    ['of what is encrypted', storeOf(octets(encrypted(pbes2('2dc6c0')))), '3000000'],
    ['of what is encrypted as it once was', storeOf(octets(encrypted(pbes1('2dc6c0')))), '3000000'],
    ['of a key', storeOf(octets(shrouded(pbes2('2dc6c0')))), '3000000'],
    ['of a key as it once was', storeOf(octets(shrouded(pbes1('2dc6c0')))), '3000000'],
    [
      'of one among others',
      storeOf(octets(shrouded(pbes2('03e8')), shrouded(pbes2('0f4241'))), mac('01')),
      '1000001',
    ],
    ['in a store that is in pieces', storeOf(inPieces(safes)), '1000001'],
  ])('is refused before any is done, naming it: %s', async (_what, store, count) => {
    await expect(readKeyStore(store, 'a.p12', 'changeit')).rejects.toMatchObject({
      code: 'KEY_UNUSABLE',
      message: `a.p12 asks for ${count} iterations; at most 1000000 are done`,
    });
  });

  test('is not one that asks for the most that is done', () => {
    const store = forge.asn1.fromDer(storeOf(octets(), mac('0f4240')).toString('latin1'));
    expect(mostIterations(forge, store)).toBe(1_000_000);
  });

  test.each([
    ['keytool of OpenJDK 17, told 1000 iterations', 1_000],
    ['openssl 3.0', 2_048],
  ])('is not one of %s', (writtenBy, count) => {
    const vector = keyStoreVectors().find((each) => each.writtenBy === writtenBy);
    const store = forge.asn1.fromDer(vector?.content.toString('latin1') ?? '');
    expect(mostIterations(forge, store)).toBe(count);
  });
});
