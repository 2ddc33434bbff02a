import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { aesCbc } from './aes.js';
import { conformsToCipher } from './cipher.conformance.js';
import { SpringRsaCipher, type SpringRsaOptions } from './spring-rsa-cipher.js';
import { springKey } from './spring-text-cipher.js';

const VECTORS = cipherVectors('rsa');
const KEYS = [...new Set(VECTORS.map(({ pem }) => pem))]
  .map((pem) => createPrivateKey(pem))
  .toSorted((a, b) => bitsOf(a) - bitsOf(b));
const [key1024 = createPrivateKey(''), key2048 = createPrivateKey('')] = KEYS;
const refusal = { code: 'TEXT_UNDECRYPTABLE' };

function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0;
}

function open(options: Partial<SpringRsaOptions> = {}, key = key1024): SpringRsaCipher {
  return new SpringRsaCipher(key, {
    padding: 'DEFAULT',
    strong: false,
    salt: 'deadbeef',
    ...options,
  });
}

/** Texts are read without their padding, and with white space. */
const canonical = (text: string): string => text.replaceAll(/\s|=+$/g, '');

describe.each([
  ['DEFAULT', false],
  ['DEFAULT', true],
  ['OAEP', false],
  ['OAEP', true],
] as const)('Spring\u2019s RSA with padding %s and strong %s', (padding, strong) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });

  conformsToCipher({
    open: () => Promise.resolve(open({ padding, strong })),
    openAnother: () => Promise.resolve(open({ padding, strong }, privateKey)),
    isAuthenticated: strong,
    canonical,
    runs: 20,
  });

  test.each([0, 5, 16, 100])('writes the fields with %i bytes as Spring does', async (length) => {
    const cipher = open({ padding, strong }, key2048);
    const bytes = Buffer.from(await cipher.encrypt(Buffer.alloc(length)), 'base64');
    const aesBytes = strong ? length + 16 : 16 * Math.floor(length / 16 + 1);
    expect(bytes.readUInt16BE()).toBe(256);
    expect(bytes).toHaveLength(2 + 256 + 16 + aesBytes);
    const options = {
      key: key2048,
      padding: padding === 'OAEP' ? constants.RSA_PKCS1_OAEP_PADDING : constants.RSA_PKCS1_PADDING,
    };
    expect(privateDecrypt(options, bytes.subarray(2, 258))).toHaveLength(16);
  });
});

/** A text of parts that may each be wrong. */
function textOf(length: number, ...parts: Buffer[]): string {
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(length);
  return Buffer.concat([prefix, ...parts]).toString('base64');
}

/** A well-formed text with a session key of this size. */
async function textWithSession(bytes: number): Promise<string> {
  const session = randomBytes(bytes);
  const options = { key: key1024, padding: constants.RSA_PKCS1_PADDING };
  const aesKey = await springKey(session.toString('hex'), Buffer.from('deadbeef', 'hex'));
  const sealed = aesCbc.seal(aesKey, Buffer.from('hello'));
  return textOf(128, publicEncrypt(options, session), sealed);
}

describe('Spring\u2019s RSA', () => {
  const sealed = Buffer.alloc(32);

  test.each([
    ['no length', Buffer.alloc(1).toString('base64')],
    ['a length and nothing else', textOf(128)],
    ['a block too short', textOf(128, Buffer.alloc(127))],
    ['a block and nothing else', textOf(128, Buffer.alloc(128, 1))],
    ['a block of zeros', textOf(128, Buffer.alloc(128), sealed)],
    ['a block beyond the modulus', textOf(128, Buffer.alloc(128, 0xff), sealed)],
    ['part of an IV', textOf(128, Buffer.alloc(128, 1), Buffer.alloc(15))],
    ['part of a cipher block', textOf(128, Buffer.alloc(128, 1), Buffer.alloc(31))],
  ])('refuses a text with %s', async (_what, text) => {
    for (const padding of ['DEFAULT', 'OAEP'] as const) {
      await expect(open({ padding }).decrypt(text)).rejects.toMatchObject(refusal);
    }
  });

  test.each([0, 127, 129, 384, 65_535])(
    'refuses a text with the length %i instead of 128',
    async (length) => {
      const bytes = Buffer.from(
        await open({ strong: true }).encrypt(Buffer.from('hello')),
        'base64',
      );
      const text = textOf(length, bytes.subarray(2));
      await expect(open({ strong: true }).decrypt(text)).rejects.toMatchObject(refusal);
    },
  );

  test.each([0, 15, 17, 100])('refuses a session of %i bytes', async (bytes) => {
    await expect(open().decrypt(await textWithSession(bytes))).rejects.toMatchObject(refusal);
    expect((await open().decrypt(await textWithSession(16))).toString()).toBe('hello');
  });

  // Bleichenbacher's attack needs a padding oracle. Without this feature of OpenSSL, RsaSessionKeys would be
  // one.
  test('relies on OpenSSL, which returns random bytes for bad PKCS#1 padding', () => {
    const options = { key: key1024, padding: constants.RSA_PKCS1_PADDING };
    const lengths = new Set<number>();
    for (let byte = 1; byte <= 20; byte++) {
      const block = Buffer.alloc(128, byte).fill(0, 0, 1);
      const answer = privateDecrypt(options, block);
      expect(privateDecrypt(options, block)).toEqual(answer);
      lengths.add(answer.length);
    }
    expect(lengths.size).toBeGreaterThan(5);
  });

  test('writes with a public key and refuses to read', async () => {
    const publicCipher = open({}, createPublicKey(key1024));
    const text = await publicCipher.encrypt(Buffer.from('hello'));
    await expect(publicCipher.decrypt(text)).rejects.toMatchObject(refusal);
    expect((await open().decrypt(text)).toString()).toBe('hello');
  });

  test.each([
    ['hexadecimal in either case', 'DEADBEEF', 'deadbeef', true],
    ['text where it is not hexadecimal', 'abc', '616263', true],
    ['UTF-8', 's\u00e4lt', '73c3a46c74', true],
    ['hexadecimal before text', '616263', '363136323633', false],
  ])('reads its salt as %s', async (_what, salt, same, isSame) => {
    const text = await open({ salt, strong: true }).encrypt(Buffer.from('hello'));
    const reading = await open({ salt: same, strong: true })
      .decrypt(text)
      .catch(() => 'refused');
    expect(reading.toString()).toBe(isSame ? 'hello' : 'refused');
  });

  test.each([
    ['an Ed25519 key', () => generateKeyPairSync('ed25519').privateKey, 'deadbeef'],
    [
      'an RSA key for signatures alone',
      () => generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey,
      'deadbeef',
    ],
    [
      'an RSA key of 512 bits',
      () => generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey,
      'deadbeef',
    ],
    ['an empty salt', () => key1024, ''],
  ])('cannot be made with %s', (_what, key, salt) => {
    expect(() => open({ salt }, key())).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });

  test.each(VECTORS)(
    'reads $alg, strong $strong, salt $salt: $cipher',
    async ({ alg, strong, salt, pem, plain, cipher }) => {
      const options = { padding: alg, strong: strong === 'true', salt };
      const opened = open(options, createPrivateKey(pem));
      expect((await opened.decrypt(cipher)).toString()).toBe(plain);
      const folded = cipher.replaceAll(/.{60}/g, '$&\r\n').replaceAll('=', '');
      expect((await opened.decrypt(` ${folded}\t`)).toString()).toBe(plain);
    },
  );
});
