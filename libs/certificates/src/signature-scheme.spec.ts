import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { der } from '../../../test/support/pki/encode-der.js';
import { DerElement } from './der/der-element.js';
import { isSignature, isStrongKey, signatureScheme } from './signature-scheme.js';

const algorithm = (identifier: string, ...parameters: Buffer[]) =>
  der(0x30, der(0x06, Buffer.from(identifier, 'hex')), ...parameters);

const SHA256 = algorithm('608648016503040201', der(0x05));
const SHA384 = algorithm('608648016503040202', der(0x05));
const SHA1 = algorithm('2b0e03021a', der(0x05));
const mask = (hash: Buffer) => algorithm('2a864886f70d010108', hash);
const pss = (...fields: Buffer[]) => algorithm('2a864886f70d01010a', der(0x30, ...fields));
const schemeOf = (encoded: Buffer) => signatureScheme(DerElement.read(encoded));

describe('no scheme is accepted that is', () => {
  test.each([
    ['MD5 with RSA', algorithm('2a864886f70d010104', der(0x05))],
    ['SHA-1 with RSA', algorithm('2a864886f70d010105', der(0x05))],
    ['SHA-1 with ECDSA', algorithm('2a8648ce3d0401')],
    ['PSS without parameters, which means SHA-1', algorithm('2a864886f70d01010a')],
    ['PSS with the usual parameters, which mean SHA-1', pss()],
    ['PSS with SHA-1', pss(der(0xa0, SHA1), der(0xa1, mask(SHA1)))],
    ['PSS with another mask than digest', pss(der(0xa0, SHA256), der(0xa1, mask(SHA384)))],
    ['PSS with a mask of SHA-1', pss(der(0xa0, SHA256))],
    [
      'PSS with an unknown mask function',
      pss(der(0xa0, SHA256), der(0xa1, algorithm('2a03', SHA256))),
    ],
    ['unknown', algorithm('2a03')],
  ])('%s', (_title, encoded) => {
    expect(schemeOf(encoded)).toBeUndefined();
  });
});

test.each([
  ['PSS with SHA-256', pss(der(0xa0, SHA256), der(0xa1, mask(SHA256))), 'rsa-pss', 'sha256'],
  ['PSS with SHA-384', pss(der(0xa0, SHA384), der(0xa1, mask(SHA384))), 'rsa-pss', 'sha384'],
  ['RSA with SHA-512', algorithm('2a864886f70d01010d', der(0x05)), 'rsa', 'sha512'],
  ['ECDSA with SHA-384', algorithm('2a8648ce3d040303'), 'ec', 'sha384'],
  ['Ed25519', algorithm('2b6570'), 'ed25519', null],
])('%s is accepted', (_title, encoded, family, digest) => {
  expect(schemeOf(encoded)).toEqual({ family, digest });
});

describe('a key is weak', () => {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    format: 'jwk',
  });

  test.each<[string, () => JsonWebKey, boolean]>([
    ['that anybody can sign for', () => ({ kty: 'RSA', n, e: 'AQ' }), false],
    ['on secp256k1', () => ofCurve('secp256k1'), false],
    [
      'of the kind Ed448',
      () => generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' }),
      false,
    ],
    ['that is RSA of 2048 bits: no', () => ({ kty: 'RSA', n, e: 'AQAB' }), true],
    ['that is on P-384: no', () => ofCurve('P-384'), true],
  ])('%s', (_title, key, isStrong) => {
    expect(isStrongKey(createPublicKey({ key: key(), format: 'jwk' }))).toBe(isStrong);
  });

  function ofCurve(namedCurve: string) {
    return generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
  }
});

test('a signature is verified by its stated scheme only', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.from('data');
  const signature = sign('sha256', data, privateKey);
  const families = ['rsa', 'rsa-pss', 'ec', 'ed25519'] as const;
  const counts = families.filter((family) =>
    isSignature(signature, data, { family, digest: 'sha256' }, publicKey),
  );
  expect(counts).toEqual(['rsa']);
});
