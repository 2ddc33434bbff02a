// Reads RSA private keys from key stores: PKCS#12, as keytool and OpenSSL write it, and Java's JKS.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { asn1, pkcs12 } from 'node-forge';
import { requireUsableRsaKey } from '../ciphers/rsa-key.js';
import { keyUnusable } from '../crypto-error.js';
import { looksLikeJks, privateKeysOfJks, type JksPasswords } from './jks.js';
import { printableAlias } from './printable-alias.js';

/** The magic number of JCEKS. */
const JCEKS = 0xcececece;

/** DER: the tag of a SEQUENCE, and the flag of a length in several bytes. */
const SEQUENCE = 0x30;
const LONG_LENGTH = 0x80;

/** Blocks the event loop for about 4 s for the MAC and for each key. keytool uses 10,000, OpenSSL 2,048. */
const MAX_ITERATIONS = 1_000_000;

export interface StoredKey {
  /** Its name in the store, with `?` for unprintable characters; without one, the file name without extension. */
  readonly alias: string;
  readonly key: KeyObject;
}

/**
 * Reads the RSA private keys of a store, at least one, in its order. The content determines the format.
 *
 * @param password ASCII, as Java requires
 * @param keyPassword of the keys in JKS, where they have another one than the store
 * @throws CryptoError KEY_UNUSABLE, naming `path`
 */
export async function readKeyStore(
  content: Buffer,
  path: string,
  password: string,
  keyPassword = password,
): Promise<readonly StoredKey[]> {
  rejectJceks(content, path);
  const keys = looksLikeJks(content)
    ? keysOfJks(content, path, { store: password, keys: [keyPassword, password] })
    : await keysOfPkcs12(content, path, password);
  if (keys.length === 0) throw keyUnusable(`${path} holds no RSA private key`);
  for (const { alias, key } of keys) requireUsableRsaKey(key, `the key ${alias} in ${path}`);
  return keys;
}

/** Whether the content starts like JKS, or like PKCS#12: a DER SEQUENCE of more than 127 bytes. */
export function looksLikeKeyStore(content: Buffer): boolean {
  const [tag = 0, length = 0] = content;
  return looksLikeJks(content) || (tag === SEQUENCE && length >= LONG_LENGTH);
}

/** @throws CryptoError KEY_UNUSABLE, with a command that converts it, for a key store in Java's format JCEKS */
export function rejectJceks(content: Buffer, path: string): void {
  if (content.length < 4 || content.readUInt32BE(0) !== JCEKS) return;
  throw keyUnusable(`${path} is a JCEKS key store; make it PKCS#12: ${conversionCommand(path)}`);
}

/**
 * The keys of a store with the encryption key first: the one with the alias (case-insensitive, as in Java),
 * or without an alias the only key. `undefined` where no key or several keys match.
 */
export function encryptionKeyFirst(
  stored: readonly StoredKey[],
  alias: string | undefined,
): readonly StoredKey[] | undefined {
  const [found, ...others] = stored.filter(
    (key) => alias === undefined || key.alias.toLowerCase() === alias.toLowerCase(),
  );
  if (!found || others.length > 0) return undefined;
  return [found, ...stored.filter((key) => key !== found)];
}

function keysOfJks(content: Buffer, path: string, passwords: JksPasswords): readonly StoredKey[] {
  return privateKeysOfJks(content, path, passwords).flatMap(({ alias, pkcs8 }) => {
    try {
      const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
      return key.asymmetricKeyType === 'rsa' ? [{ alias, key }] : [];
    } catch {
      // A kind of key that OpenSSL does not have.
      return [];
    } finally {
      pkcs8.fill(0);
    }
  });
}

async function keysOfPkcs12(
  content: Buffer,
  path: string,
  password: string,
): Promise<readonly StoredKey[]> {
  const { default: forge } = await import('node-forge');
  const store = openStore(forge, content, { path, password });
  const { pkcs8ShroudedKeyBag, keyBag } = forge.pki.oids;
  const bags = store.safeContents
    .flatMap(({ safeBags }) => safeBags)
    .filter(({ type }) => type === pkcs8ShroudedKeyBag || type === keyBag);
  const fileName = basename(path, extname(path));
  return bags.flatMap((bag) => storedKey(forge, bag, fileName));
}

function openStore(
  forge: typeof import('node-forge'),
  content: Buffer,
  { path, password }: { path: string; password: string },
): pkcs12.Pkcs12Pfx {
  let iterations = 0;
  try {
    const asn1 = forge.asn1.fromDer(content.toString('latin1'));
    iterations = highestIterationCount(forge, asn1);
    if (iterations <= MAX_ITERATIONS) return forge.pkcs12.pkcs12FromAsn1(asn1, password);
  } catch (error) {
    throw keyUnusable(`${path} ${reasonOf(error)}`, error);
  }
  throw keyUnusable(
    `${path} needs ${iterations} iterations; at most ${MAX_ITERATIONS} are allowed`,
  );
}

/** node-forge opens a store as a whole, and does not support secret keys. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('SafeBag type')) {
    return 'holds a secret key, which is not supported: use a store with RSA keys only (keytool -delete)';
  }
  if (message.includes('ShroudedKeyBag')) {
    return "holds a key with another password than the store's, which is not supported: write it again with one password for both";
  }
  return 'cannot be opened: it is not PKCS#12, or the password is wrong';
}

/** Empty for other keys than RSA, which node-forge does not parse. */
function storedKey(
  forge: typeof import('node-forge'),
  { key, attributes }: pkcs12.Bag,
  fileName: string,
): readonly StoredKey[] {
  if (!key) return [];
  const bytes = forge.asn1.toDer(forge.pki.privateKeyToAsn1(key)).getBytes();
  const der = Buffer.from(bytes, 'latin1');
  const [alias = fileName] =
    (attributes as { friendlyName?: readonly string[] }).friendlyName ?? [];
  try {
    return [
      {
        alias: printableAlias(alias),
        key: createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
      },
    ];
  } finally {
    der.fill(0);
  }
}

function conversionCommand(path: string): string {
  return `keytool -importkeystore -srckeystore ${path} -destkeystore ${path}.p12 -deststoretype pkcs12`;
}

type Asn1Node = asn1.Asn1;

/**
 * The highest iteration count of a store, checked before the store is opened. A count is an INTEGER after
 * an OCTET STRING, the salt. Counts inside encrypted content are not visible.
 *
 * @see RFC 7292 §4, RFC 8018 appendix A
 */
export function highestIterationCount(forge: typeof import('node-forge'), store: Asn1Node): number {
  const { OCTETSTRING, INTEGER } = forge.asn1.Type;
  const highestIn = (node: Asn1Node): number => {
    if (node.tagClass === forge.asn1.Class.UNIVERSAL && node.type === OCTETSTRING) {
      const inner = parseDer(forge, node);
      return inner ? highestIn(inner) : 0;
    }
    if (typeof node.value === 'string') return 0;
    const counts = node.value.filter(
      ({ type }, index, { [index - 1]: before }) =>
        type === INTEGER && before?.type === OCTETSTRING,
    );
    return Math.max(0, ...counts.map(numberOf), ...node.value.map(highestIn));
  };
  return highestIn(store);
}

/** The DER in the bytes; undefined for salts and encrypted content. */
function parseDer(forge: typeof import('node-forge'), node: Asn1Node): Asn1Node | undefined {
  try {
    return forge.asn1.fromDer(bytesOf(node));
  } catch {
    return undefined;
  }
}

/** Joins the chunks of a constructed string. */
function bytesOf({ value }: Asn1Node): string {
  return typeof value === 'string' ? value : value.map(bytesOf).join('');
}

function numberOf(integer: Asn1Node): number {
  return Number(`0x${Buffer.from(bytesOf(integer), 'latin1').toString('hex')}`);
}
