// Reads the private keys of key stores in Java's format JKS.
import { hash } from 'node:crypto';
import { keyUnusable } from '../crypto-error.js';
import { printableAlias } from './printable-alias.js';

const MAGIC = 0xfeedfeed;
/** Since version 2 a certificate has its type. */
const VERSIONS = [1, 2];
const [PRIVATE_KEY, CERTIFICATE] = [1, 2];
const DIGEST_BYTES = 20;
/** Part of what the digest of a store covers. */
const WHITENER = Buffer.from('Mighty Aphrodite');

/** DER: tags, the flag of a length in several bytes, and the identifier of the only algorithm that seals keys. */
const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
const LONG_LENGTH = 0x80;
const KEY_PROTECTOR = Buffer.from('060a2b060104012a02110101', 'hex');

export interface JksPasswords {
  readonly store: string;
  /** Of the keys, tried in their order. */
  readonly keys: readonly string[];
}

export interface JksKey {
  /** With `?` for unprintable characters. */
  readonly alias: string;
  /** The key as PKCS#8 in DER. Callers overwrite it after use. */
  readonly pkcs8: Buffer;
}

export function looksLikeJks(content: Buffer): boolean {
  return content.length >= 4 && content.readUInt32BE(0) === MAGIC;
}

/**
 * The private keys of a store, in its order; certificates are skipped.
 *
 * @param path for the error
 * @throws CryptoError KEY_UNUSABLE for a wrong password, a damaged store, and a key with another password
 * @see sun.security.provider.JavaKeyStore, engineLoad
 */
export function privateKeysOfJks(
  content: Buffer,
  path: string,
  { store, keys }: JksPasswords,
): readonly JksKey[] {
  const end = Math.max(content.length - DIGEST_BYTES, 0);
  const digest = sha1(bytesOf(store), WHITENER, content.subarray(0, end));
  if (!digest.equals(content.subarray(end))) {
    throw keyUnusable(`${path} cannot be opened: it is damaged, or the password is wrong`);
  }
  try {
    return sealedKeysOf(new Reader(content.subarray(0, end))).map(({ alias, sealed }) => {
      const pkcs8 = keys
        .map((key) => unseal(sealed, bytesOf(key)))
        .find((key) => key !== undefined);
      if (pkcs8 !== undefined) return { alias, pkcs8 };
      throw keyUnusable(`${path} holds a key with another password: ${alias}`);
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw keyUnusable(`${path} is no key store of Java: ${error.message}`, error);
  }
}

interface SealedKey {
  readonly alias: string;
  readonly sealed: Buffer;
}

function sealedKeysOf(reader: Reader): readonly SealedKey[] {
  reader.uint32();
  const version = reader.uint32();
  if (!VERSIONS.includes(version)) throw new RangeError(`version ${version} is unknown`);
  const found: SealedKey[] = [];
  for (let left = reader.uint32(); left > 0; left -= 1) {
    const tag = reader.uint32();
    const alias = printableAlias(reader.text());
    // The date of the entry.
    reader.take(8);
    if (tag === PRIVATE_KEY) {
      found.push({ alias, sealed: sealedBytes(reader.take(reader.uint32())) });
      for (let chain = reader.uint32(); chain > 0; chain -= 1) skipCertificate(reader, version);
    } else if (tag === CERTIFICATE) {
      skipCertificate(reader, version);
    } else {
      throw new RangeError(`an entry has the unknown tag ${tag}`);
    }
  }
  return found;
}

function skipCertificate(reader: Reader, version: number): void {
  if (version > 1) reader.text();
  reader.take(reader.uint32());
}

/** @param info a PKCS#8 EncryptedPrivateKeyInfo. @see RFC 5208 §6 */
function sealedBytes(info: Buffer): Buffer {
  const parts = new Reader(new Reader(info).element(SEQUENCE));
  const algorithm = parts.element(SEQUENCE);
  if (!algorithm.subarray(0, KEY_PROTECTOR.length).equals(KEY_PROTECTOR)) {
    throw new RangeError('a key is encrypted by another algorithm');
  }
  const sealed = parts.element(OCTET_STRING);
  if (sealed.length < 2 * DIGEST_BYTES) throw new RangeError('a key is cut off');
  return sealed;
}

/**
 * A salt, the key XOR a chain of digests that begins with the salt, and a digest of the key. Undefined for another password.
 *
 * @see sun.security.provider.KeyProtector
 */
function unseal(sealed: Buffer, password: Buffer): Buffer | undefined {
  const key = Buffer.from(sealed.subarray(DIGEST_BYTES, -DIGEST_BYTES));
  let block = sealed.subarray(0, DIGEST_BYTES);
  for (let start = 0; start < key.length; start += DIGEST_BYTES) {
    block = sha1(password, block);
    // An array of bytes ignores what is written behind its end.
    for (const [index, mask] of block.entries()) {
      key[start + index] = (key[start + index] ?? 0) ^ mask;
    }
  }
  return sha1(password, key).equals(sealed.subarray(-DIGEST_BYTES)) ? key : undefined;
}

/** As Java has the characters of a password. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password, 'utf16le').swap16();
}

function sha1(...parts: readonly Buffer[]): Buffer {
  return hash('sha1', Buffer.concat(parts), 'buffer');
}

/** Every method throws RangeError where the bytes end early. */
class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(length: number): Buffer {
    const start = this.at;
    if (length > this.bytes.length - start) throw new RangeError('it is cut off');
    this.at += length;
    return this.bytes.subarray(start, this.at);
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  /** A length in two bytes, and UTF-8. */
  text(): string {
    return this.take(this.take(2).readUInt16BE()).toString('utf8');
  }

  /** The content of a DER element. */
  element(tag: number): Buffer {
    const [found = 0, first = 0] = this.take(2);
    if (found !== tag) throw new RangeError('a key is malformed');
    if (first < LONG_LENGTH) return this.take(first);
    const digits = this.take(Math.min(first - LONG_LENGTH, 4));
    return this.take(Number(`0x0${digits.toString('hex')}`));
  }
}
