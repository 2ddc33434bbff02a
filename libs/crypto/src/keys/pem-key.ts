// Reads RSA private keys in PEM: PKCS#1 and PKCS#8, encrypted or not. Where the text comes from is others' affair.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { usableRsaKey } from '../ciphers/rsa-strength.js';
import { unusable } from './unusable-key.js';

const BLOCK = /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----(.*?)-----END \1-----/gs;
const PUBLIC = /^ssh-rsa |-----BEGIN (?:[A-Z]+ )*(?:PUBLIC KEY|CERTIFICATE)-----/;

/** In characters. No key comes near it, and a pattern takes long over what only looks like many. */
const LONGEST = 65_536;

/** Whether a text is meant as PEM, so that it is no password. */
export function looksLikePem(text: string): boolean {
  return text.includes('-----BEGIN ') || text.startsWith('ssh-rsa ');
}

/**
 * The key of a text. Line ends may be missing or written as `\n`, as happens in settings files and in
 * the environment; what stands around the block is passed over.
 *
 * @param source what the message is about: a path, or a word such as `the key`
 * @throws CryptoError KEY_UNUSABLE: no PEM, no RSA, a public key, several private ones, a wrong or missing
 *   passphrase
 */
export function privateKeyOfPem(text: string, source: string, passphrase?: string): KeyObject {
  if (text.length > LONGEST) throw unusable(`${source} is longer than any key`);
  const blocks = [...text.matchAll(BLOCK)];
  const [, label, body = ''] = blocks[0] ?? [];
  if (label === undefined) {
    throw unusable(
      `${source} ${PUBLIC.test(text) ? 'is public: the private key is needed' : 'is no PEM of a private key'}`,
    );
  }
  if (blocks.length > 1) {
    throw unusable(`${source} holds ${blocks.length} private keys: leave the one to use`);
  }
  const isEncrypted = label.startsWith('ENCRYPTED') || body.includes('ENCRYPTED');
  if (isEncrypted && passphrase === undefined) {
    throw unusable(`${source} is encrypted, and no passphrase is given`);
  }
  const key = readPem(wellFormed(label, body), source, isEncrypted ? passphrase : undefined);
  return usableRsaKey(key, source);
}

function readPem(pem: string, source: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (error) {
    const why = passphrase === undefined ? '' : ', or its passphrase is another';
    throw unusable(`${source} cannot be read as a private key${why}`, error);
  }
}

/** Lines of 64 digits. A block with headers of its own has to have its lines already. */
function wellFormed(label: string, body: string): string {
  const digits = body.replaceAll(/\s|\\[rn]/g, '');
  const lines = body.includes(':') ? body.trim() : digits.replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
