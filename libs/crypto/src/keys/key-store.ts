// Reads RSA private keys from PKCS#12 key stores, as keytool and OpenSSL write them. Java's older kinds are turned away.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { pkcs12 } from 'node-forge';
import { usableRsaKey } from '../ciphers/rsa-strength.js';
import { mostIterations } from './key-store-work.js';
import { unusable } from './unusable-key.js';

/** First bytes of Java's own kinds. */
const JAVA_KINDS = new Map([
  [0xfeedfeed, 'JKS'],
  [0xcececece, 'JCEKS'],
]);

/** Of DER: how a sequence begins, and from where on a length has bytes of its own. */
const SEQUENCE = 0x30;
const LONG_LENGTH = 0x80;

/** Some four seconds for the MAC and as many for each key, in which nothing else is done. keytool takes 10,000, OpenSSL 2,048. */
const MOST_ITERATIONS = 1_000_000;

/** In a message they would be taken for the end of it, or for orders to a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export interface StoredKey {
  /** Its name in the store, with `?` for what cannot be printed; that of the file, without its ending, where it has none. */
  readonly alias: string;
  readonly key: KeyObject;
}

/**
 * The RSA private keys of a store, at least one, in its order.
 *
 * @param password ASCII; Java allows no other
 * @throws CryptoError KEY_UNUSABLE, about `path`
 */
export async function readKeyStore(
  content: Buffer,
  path: string,
  password: string,
): Promise<readonly StoredKey[]> {
  refuseJavaStore(content, path);
  const { default: forge } = await import('node-forge');
  const store = openStore(forge, content, { path, password });
  const { pkcs8ShroudedKeyBag, keyBag } = forge.pki.oids;
  const bags = store.safeContents
    .flatMap(({ safeBags }) => safeBags)
    .filter(({ type }) => type === pkcs8ShroudedKeyBag || type === keyBag);
  const fileName = basename(path, extname(path));
  const keys = bags.flatMap((bag) => storedKey(forge, bag, fileName));
  if (keys.length === 0) throw unusable(`${path} holds no RSA private key`);
  for (const { alias, key } of keys) usableRsaKey(key, `the key ${alias} in ${path}`);
  return keys;
}

/** Whether the first bytes are those of PKCS#12: a sequence in DER, longer than 127 bytes. */
export function looksLikeKeyStore(content: Buffer): boolean {
  const [tag = 0, length = 0] = content;
  return tag === SEQUENCE && length >= LONG_LENGTH;
}

/** @throws CryptoError KEY_UNUSABLE, about `path`, with the command that converts a store of Java's own kinds */
export function refuseJavaStore(content: Buffer, path: string): void {
  const kind = content.length < 4 ? undefined : JAVA_KINDS.get(content.readUInt32BE(0));
  if (kind === undefined) return;
  throw unusable(`${path} is a ${kind} key store; make it PKCS#12: ${conversion(path)}`);
}

/**
 * The keys of a store, the one in front that is to encrypt: the one that is called so, in any case of letters as in
 * Java, or without a name the only one. `undefined` where that is none, or not one alone.
 */
export function encryptingFirst(
  stored: readonly StoredKey[],
  alias: string | undefined,
): readonly StoredKey[] | undefined {
  const [found, ...others] = stored.filter(
    (key) => alias === undefined || key.alias.toLowerCase() === alias.toLowerCase(),
  );
  if (!found || others.length > 0) return undefined;
  return [found, ...stored.filter((key) => key !== found)];
}

function openStore(
  forge: typeof import('node-forge'),
  content: Buffer,
  { path, password }: { path: string; password: string },
): pkcs12.Pkcs12Pfx {
  let iterations = 0;
  try {
    const asn1 = forge.asn1.fromDer(content.toString('latin1'));
    iterations = mostIterations(forge, asn1);
    if (iterations <= MOST_ITERATIONS) return forge.pkcs12.pkcs12FromAsn1(asn1, password);
  } catch (error) {
    throw unusable(`${path} ${faultIn(error)}`, error);
  }
  throw unusable(`${path} asks for ${iterations} iterations; at most ${MOST_ITERATIONS} are done`);
}

/** The library opens a store as a whole, and knows no secret keys. */
function faultIn(error: unknown): string {
  const isSecretKey = error instanceof Error && error.message.includes('SafeBag type');
  return isSecretKey
    ? 'holds a secret key, which cannot be read: have a store with the RSA keys alone (keytool -delete)'
    : 'cannot be opened: it is no PKCS#12, or its password is another';
}

/** None for a key of another kind than RSA, which the library does not take apart. */
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
        alias: alias.replaceAll(UNPRINTABLE, '?'),
        key: createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
      },
    ];
  } finally {
    der.fill(0);
  }
}

function conversion(path: string): string {
  return `keytool -importkeystore -srckeystore ${path} -destkeystore ${path}.p12 -deststoretype pkcs12`;
}
