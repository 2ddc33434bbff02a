// An RSA public key as one line, the way OpenSSH writes it and Spring's `/key` answers.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CryptoError } from '../crypto-error.js';

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

/** An mpint of RFC 4251 §5: a zero in front where the first bit would read as a sign. */
function positiveInteger(base64url: string): Buffer {
  const magnitude = Buffer.from(base64url, 'base64url');
  return (magnitude[0] ?? 0) < 0x80 ? magnitude : Buffer.concat([Buffer.alloc(1), magnitude]);
}

function withLength(field: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return [length, field];
}
