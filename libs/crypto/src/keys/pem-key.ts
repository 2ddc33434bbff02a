// Reads RSA private keys in PEM: PKCS#1 and PKCS#8, encrypted or not.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { requireUsableRsaKey } from '../ciphers/rsa-key.js';
import { keyUnusable } from '../crypto-error.js';

const BLOCK = /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----(.*?)-----END \1-----/gs;
const PUBLIC_KEY = /^ssh-rsa |-----BEGIN (?:[A-Z]+ )*(?:PUBLIC KEY|CERTIFICATE)-----/;

/** In characters. Keys are far shorter, and matching long texts is slow. */
const MAX_LENGTH = 65_536;

/** Whether a text looks like PEM or an OpenSSH key rather than a password. */
export function looksLikePem(text: string): boolean {
  return text.includes('-----BEGIN ') || text.startsWith('ssh-rsa ');
}

/**
 * Reads a private key. Line ends may be missing or written as `\n`, as in settings files and environment
 * variables. Text around the block is ignored.
 *
 * @param source the subject of the message: a path, or words such as `the key`
 * @throws CryptoError KEY_UNUSABLE for other text, keys other than RSA, a public key, several private keys,
 *   or a wrong or missing passphrase
 */
export function privateKeyOfPem(text: string, source: string, passphrase?: string): KeyObject {
  if (text.length > MAX_LENGTH) throw keyUnusable(`${source} is longer than any key`);
  const blocks = [...text.matchAll(BLOCK)];
  const [, label, body = ''] = blocks[0] ?? [];
  if (label === undefined) {
    throw keyUnusable(
      `${source} ${PUBLIC_KEY.test(text) ? 'is public: the private key is needed' : 'is not a private key in PEM'}`,
    );
  }
  if (blocks.length > 1) {
    throw keyUnusable(`${source} holds ${blocks.length} private keys: leave the one to use`);
  }
  const isEncrypted = label.startsWith('ENCRYPTED') || body.includes('ENCRYPTED');
  if (isEncrypted && passphrase === undefined) {
    throw keyUnusable(`${source} is encrypted, and no passphrase is given`);
  }
  const key = readPem(normalizedPem(label, body), source, isEncrypted ? passphrase : undefined);
  return requireUsableRsaKey(key, source);
}

function readPem(pem: string, source: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (error) {
    const why = passphrase === undefined ? '' : ', or the passphrase is wrong';
    throw keyUnusable(`${source} cannot be read as a private key${why}`, error);
  }
}

/** Breaks lines after 64 digits. A block with PEM headers must have its line ends. */
function normalizedPem(label: string, body: string): string {
  const digits = body.replaceAll(/\s|\\[rn]/g, '');
  const lines = body.includes(':') ? body.trim() : digits.replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
