// Reads RSA private keys from PKCS#12 key stores, as keytool and OpenSSL write them. Java's older kinds are turned away.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { pkcs12 } from 'node-forge';
import { mostIterations } from './key-store-work.js';
import { usableRsaKey } from './pem-key.js';
import { unusable } from './unusable-key.js';

/** First bytes of Java's own kinds. */
const JAVA_KINDS = new Map([
  [0xfeedfeed, 'JKS'],
  [0xcececece, 'JCEKS'],
]);

/** Some four seconds for the MAC and as many for each key, in which nothing else is done. keytool takes 10,000, OpenSSL 2,048. */
const MOST_ITERATIONS = 1_000_000;

/** A private key, and its name in the store; `undefined` where it has none. */
export interface StoredKey {
  readonly alias: string | undefined;
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
  const kind = content.length < 4 ? undefined : JAVA_KINDS.get(content.readUInt32BE(0));
  if (kind !== undefined) {
    throw unusable(`${path} is a ${kind} key store; make it PKCS#12: ${conversion(path)}`);
  }
  const { default: forge } = await import('node-forge');
  const store = openStore(forge, content, { path, password });
  const { pkcs8ShroudedKeyBag, keyBag } = forge.pki.oids;
  const bags = store.safeContents
    .flatMap(({ safeBags }) => safeBags)
    .filter(({ type }) => type === pkcs8ShroudedKeyBag || type === keyBag);
  const keys = bags.flatMap((bag) => storedKey(forge, bag));
  if (keys.length === 0) throw unusable(`${path} holds no RSA private key`);
  for (const { key } of keys) usableRsaKey(key, `a key in ${path}`);
  return keys;
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
): readonly StoredKey[] {
  if (!key) return [];
  const bytes = forge.asn1.toDer(forge.pki.privateKeyToAsn1(key)).getBytes();
  const der = Buffer.from(bytes, 'latin1');
  const [alias] = (attributes as { friendlyName?: readonly string[] }).friendlyName ?? [];
  try {
    return [{ alias, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }) }];
  } finally {
    der.fill(0);
  }
}

function conversion(path: string): string {
  return `keytool -importkeystore -srckeystore ${path} -destkeystore ${path}.p12 -deststoretype pkcs12`;
}
