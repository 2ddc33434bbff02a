// RSA keys: minimum lengths, and the public key in OpenSSH format.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CryptoError } from '../crypto-error.js';

const MIN_BITS = 1024;
const MIN_BITS_TO_ENCRYPT = 2048;

/**
 * Returns the key if Spring's RSA cipher can use it. OpenSSL itself accepts 512 bits.
 *
 * @param source the subject of the message: a path, or words such as `the key`
 * @throws CryptoError KEY_UNUSABLE for another kind of key, or fewer than 1024 bits
 */
export function requireUsableRsaKey(key: KeyObject, source: string): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') {
    throw new CryptoError('KEY_UNUSABLE', `${source} is not an RSA key`);
  }
  const bits = bitsOf(key);
  if (bits >= MIN_BITS) return key;
  const message = `${source} is an RSA key of ${bits} bits: it must have ${MIN_BITS} at least`;
  throw new CryptoError('KEY_UNUSABLE', message);
}

/**
 * The length of an RSA key that is too short to encrypt new values; `undefined` for longer keys.
 *
 * @see NIST SP 800-131A Rev. 2 §6: fewer than 2048 bits are disallowed for key transport
 */
export function weakBitsOf(key: KeyObject): number | undefined {
  const bits = bitsOf(key);
  return bits < MIN_BITS_TO_ENCRYPT ? bits : undefined;
}

function bitsOf({ asymmetricKeyDetails: details }: KeyObject): number {
  return details?.modulusLength ?? 0;
}

/**
 * `ssh-rsa <Base64> <name>` of the public half of a key.
 *
 * @throws CryptoError KEY_UNUSABLE where the key is not RSA
 * @see RFC 4253 §6.6
 */
export function sshPublicKey(key: KeyObject, name: string): string {
  if (key.asymmetricKeyType !== 'rsa') {
    throw new CryptoError('KEY_UNUSABLE', 'the key is not an RSA key');
  }
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const { e = '', n = '' } = publicKey.export({ format: 'jwk' });
  const fields = [Buffer.from('ssh-rsa'), positiveInteger(e), positiveInteger(n)];
  return `ssh-rsa ${Buffer.concat(fields.flatMap(withLength)).toString('base64')} ${name}`;
}

/** An mpint of RFC 4251 §5: a leading zero where the first bit would be the sign. */
function positiveInteger(base64url: string): Buffer {
  const magnitude = Buffer.from(base64url, 'base64url');
  return (magnitude[0] ?? 0) < 0x80 ? magnitude : Buffer.concat([Buffer.alloc(1), magnitude]);
}

function withLength(field: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return [length, field];
}
