// Ciphertexts that cannot be decrypted, each invalid in one way, for each kind of key.
import { randomBytes, randomInt, type KeyObject } from 'node:crypto';
import {
  envelopeRingKey,
  rsaRingKey,
  SpringTextCipher,
  type EnvelopeKey,
  type SpringRsaOptions,
} from '@tessera/crypto';

/** A kind of invalid text, and how to make one. By chance a key may decrypt it all the same. */
export interface InvalidText {
  readonly name: string;
  readonly make: () => Promise<string>;
}

/** Texts of one format. A sender knows the format, so only texts of one family are compared. */
export interface Family {
  readonly name: string;
  readonly texts: readonly InvalidText[];
}

type Change = (bytes: Buffer) => Buffer;

export const SALT = 'deadbeef';
const RSA_OPTIONS: SpringRsaOptions = { padding: 'DEFAULT', strong: false, salt: SALT };

/** One and a half AES blocks. */
const PLAIN = randomBytes(24);
const [IV_BYTES, BLOCK_BYTES] = [16, 16];

export function envelopeFamily({ kid, key }: EnvelopeKey): Family {
  const right = envelopeRingKey({ kid, key }).encryptor;
  const wrong = envelopeRingKey({ kid, key: randomBytes(32) }).encryptor;
  const header = `v1.${kid}.`;
  const write = (): Promise<string> => right.encrypt(PLAIN);
  const changed = async (change: Change): Promise<string> =>
    header +
    change(Buffer.from((await write()).slice(header.length), 'base64url')).toString('base64url');
  return {
    name: 'our envelope',
    texts: [
      { name: 'wrong key', make: () => wrong.encrypt(PLAIN) },
      { name: 'flipped nonce', make: () => changed(flipAt(3)) },
      { name: 'flipped text', make: () => changed(flipAt(20)) },
      { name: 'flipped tag', make: () => changed(flipAt(-2)) },
      { name: 'cut', make: () => changed(cutBy(9)) },
      { name: 'nothing behind the id', make: () => Promise.resolve(header) },
      { name: 'no Base64', make: async () => (await write()).replace(/.{3}$/, '!!!') },
      {
        name: 'unknown id',
        make: async () => (await write()).replace(kid, 'x'.repeat(kid.length)),
      },
      ...selections(write, 'rsa'),
    ],
  };
}

export async function hexadecimalFamily(password: string): Promise<Family> {
  const right = await SpringTextCipher.open({ password, salt: SALT, kind: 'text' });
  const wrong = await SpringTextCipher.open({ password: 'another', salt: SALT, kind: 'text' });
  const strong = await SpringTextCipher.open({ password: 'another', salt: SALT, kind: 'delux' });
  const write = (): Promise<string> => right.encrypt(PLAIN);
  const changed = async (change: Change): Promise<string> =>
    change(Buffer.from(await write(), 'hex')).toString('hex');
  return {
    name: 'hexadecimal (Spring, CBC and GCM)',
    texts: [
      { name: 'wrong key', make: () => wrong.encrypt(PLAIN) },
      { name: 'wrong key, GCM', make: () => strong.encrypt(PLAIN) },
      { name: 'bad padding', make: () => changed(breakPadding) },
      { name: 'flipped text', make: () => changed(flipAt(-2)) },
      { name: 'cut within a block', make: () => changed(cutBy(1)) },
      { name: 'cut within a byte', make: async () => (await write()).slice(0, -1) },
      { name: 'IV alone', make: () => changed((bytes) => bytes.subarray(0, IV_BYTES)) },
      { name: 'half an IV', make: () => changed((bytes) => bytes.subarray(0, IV_BYTES / 2)) },
      { name: 'nothing behind the selector', make: () => Promise.resolve('{key:default}') },
      ...selections(write, 'rsa'),
    ],
  };
}

export function rsaFamily(key: KeyObject, another: KeyObject): Family {
  const right = rsaRingKey('rsa', key, RSA_OPTIONS).encryptor;
  const wrong = rsaRingKey('rsa', another, RSA_OPTIONS).encryptor;
  const block = 2 + (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  const write = (): Promise<string> => right.encrypt(PLAIN);
  const changed = async (change: Change): Promise<string> =>
    change(Buffer.from(await write(), 'base64')).toString('base64');
  return {
    name: 'Base64 (Spring, RSA with PKCS#1 v1.5)',
    texts: [
      { name: 'wrong key', make: () => wrong.encrypt(PLAIN) },
      { name: 'bad padding of the session', make: () => changed(flipAt(block - 9)) },
      {
        name: 'session beyond the modulus',
        make: () => changed((bytes) => bytes.fill(0xff, 2, block)),
      },
      { name: 'session of zeros', make: () => changed((bytes) => bytes.fill(0, 2, block)) },
      { name: 'another length in front', make: () => changed(flipAt(1)) },
      { name: 'bad padding of the text', make: () => changed(breakPadding) },
      { name: 'flipped text', make: () => changed(flipAt(-2)) },
      { name: 'cut within a block', make: () => changed(cutBy(1)) },
      {
        name: 'cut within the session',
        make: () => changed((bytes) => bytes.subarray(0, block / 2)),
      },
      { name: 'IV alone', make: () => changed((bytes) => bytes.subarray(0, block + IV_BYTES)) },
      { name: 'no Base64', make: async () => (await write()).replace(/.{3}$/, '!!!') },
      { name: 'unknown selector', make: async () => `{name-of:none}${await write()}` },
      ...selections(write, 'default'),
    ],
  };
}

/** Valid texts that select the wrong key. */
function selections(write: () => Promise<string>, other: string): InvalidText[] {
  const selecting = async (alias: string): Promise<string> => `{key:${alias}}${await write()}`;
  return [
    { name: 'unknown alias', make: () => selecting('nobody') },
    { name: 'alias of another key', make: () => selecting(other) },
  ];
}

/** Flips a random bit of a byte. */
function flipAt(index: number): Change {
  return (bytes) => {
    const at = index < 0 ? bytes.length + index : index;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8));
    return bytes;
  };
}

function cutBy(count: number): Change {
  return (bytes) => bytes.subarray(0, -count);
}

/** Flips the highest bit of the padding length, through the block before it: no padding is as long. */
const breakPadding: Change = (bytes) => {
  const at = bytes.length - BLOCK_BYTES - 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0x80;
  return bytes;
};
