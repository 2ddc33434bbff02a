// The supported algorithms of Jasypt, which are those of the JDK and of Bouncy Castle.
import { CryptoError } from '../../crypto-error.js';
import {
  aes,
  type BulkCipher,
  DES,
  rc2,
  rc4,
  TRIPLE_DES,
  TWO_KEY_TRIPLE_DES,
} from './bulk-ciphers.js';
import {
  type PasswordDerivation,
  pbkdf1,
  pbkdf2,
  pkcs12,
  tripleDesOfJdk,
} from './password-derivations.js';

export interface JasyptAlgorithm {
  /** In Java's spelling. */
  readonly name: string;
  /** Uses a broken cipher or digest: for decrypting old values, not for new ones. */
  readonly isLegacy: boolean;
}

export interface PasswordBasedCipher extends JasyptAlgorithm {
  readonly derivation: PasswordDerivation;
  readonly bulk: BulkCipher;
  /** The IV is not derived, so the text always stores it. */
  readonly needsStoredIv: boolean;
}

type Row = readonly [name: string, derivation: PasswordDerivation, bulk: BulkCipher];

const LEGACY: readonly Row[] = [
  ['PBEWithMD5AndDES', pbkdf1('md5'), DES],
  ['PBEWithMD5AndTripleDES', tripleDesOfJdk, TRIPLE_DES],
  ['PBEWithSHA1AndDES', pbkdf1('sha1'), DES],
  ['PBEWithSHA1AndDESede', pkcs12('sha1'), TRIPLE_DES],
  ['PBEWithSHA1AndRC2_40', pkcs12('sha1'), rc2(40)],
  ['PBEWithSHA1AndRC2_128', pkcs12('sha1'), rc2(128)],
  ['PBEWithSHA1AndRC4_40', pkcs12('sha1'), rc4(40)],
  ['PBEWithSHA1AndRC4_128', pkcs12('sha1'), rc4(128)],
  ['PBEWITHMD5ANDRC2', pbkdf1('md5'), rc2(64)],
  ['PBEWITHSHA1ANDRC2', pbkdf1('sha1'), rc2(64)],
  ['PBEWITHSHAAND3-KEYTRIPLEDES-CBC', pkcs12('sha1'), TRIPLE_DES],
  ['PBEWITHSHAAND2-KEYTRIPLEDES-CBC', pkcs12('sha1'), TWO_KEY_TRIPLE_DES],
  ['PBEWITHSHAAND40BITRC2-CBC', pkcs12('sha1'), rc2(40)],
  ['PBEWITHSHAAND128BITRC2-CBC', pkcs12('sha1'), rc2(128)],
  ['PBEWITHSHAAND40BITRC4', pkcs12('sha1'), rc4(40)],
  ['PBEWITHSHAAND128BITRC4', pkcs12('sha1'), rc4(128)],
  ['PBEWITHSHAAND128BITAES-CBC-BC', pkcs12('sha1'), aes(128)],
  ['PBEWITHSHAAND192BITAES-CBC-BC', pkcs12('sha1'), aes(192)],
  ['PBEWITHSHAAND256BITAES-CBC-BC', pkcs12('sha1'), aes(256)],
];

const STRONG: readonly Row[] = [
  ['PBEWITHSHA256AND128BITAES-CBC-BC', pkcs12('sha256'), aes(128)],
  ['PBEWITHSHA256AND192BITAES-CBC-BC', pkcs12('sha256'), aes(192)],
  ['PBEWITHSHA256AND256BITAES-CBC-BC', pkcs12('sha256'), aes(256)],
];

const STRONG_WITH_STORED_IV: readonly Row[] = [1, 224, 256, 384, 512].flatMap((size): Row[] => [
  [`PBEWithHmacSHA${size}AndAES_128`, pbkdf2(`sha${size}`), aes(128)],
  [`PBEWithHmacSHA${size}AndAES_256`, pbkdf2(`sha${size}`), aes(256)],
]);

const ALGORITHMS: readonly PasswordBasedCipher[] = [
  ...LEGACY.map(toAlgorithm({ isLegacy: true, needsStoredIv: false })),
  ...STRONG.map(toAlgorithm({ isLegacy: false, needsStoredIv: false })),
  ...STRONG_WITH_STORED_IV.map(toAlgorithm({ isLegacy: false, needsStoredIv: true })),
];

const RECOMMENDED_ALGORITHM = 'PBEWithHmacSHA512AndAES_256';

const MAX_SUGGESTIONS = 3;

const BY_NAME = new Map(ALGORITHMS.map((algorithm) => [canonicalName(algorithm.name), algorithm]));

/** The algorithms of `JasyptCipher`. */
export const JASYPT_ALGORITHMS: readonly JasyptAlgorithm[] = ALGORITHMS.map(
  ({ name, isLegacy }) => ({ name, isLegacy }),
);

/**
 * Finds an algorithm by its name in any case, or by one of Bouncy Castle's aliases.
 *
 * @throws CryptoError CIPHER_UNSUPPORTED, with the name and similar supported names
 */
export function jasyptAlgorithm(name: string): PasswordBasedCipher {
  const algorithm = BY_NAME.get(canonicalName(name));
  if (!algorithm) {
    throw new CryptoError(
      'CIPHER_UNSUPPORTED',
      `the algorithm ${JSON.stringify(name)} is not supported: decrypt its values with Jasypt and ` +
        `encrypt them again, best with tessera encrypt without --algorithm, or with ` +
        `${RECOMMENDED_ALGORITHM}. Similar names that are supported (all are in docs/encryption.md): ${closestNames(name).join(', ')}`,
    );
  }
  return algorithm;
}

function toAlgorithm(kind: { readonly isLegacy: boolean; readonly needsStoredIv: boolean }) {
  return ([name, derivation, bulk]: Row): PasswordBasedCipher => ({
    name,
    derivation,
    bulk,
    ...kind,
  });
}

/** The supported names that share the most trigrams with `name`. */
function closestNames(name: string): readonly string[] {
  const trigrams = trigramsOf(name);
  const similarity = (known: string): number => {
    const others = trigramsOf(known);
    const shared = [...trigrams].filter((part) => others.has(part)).length;
    return shared / (trigrams.size + others.size - shared);
  };
  const names = ALGORITHMS.map((known) => known.name);
  return names
    .toSorted((one, other) => similarity(other) - similarity(one))
    .slice(0, MAX_SUGGESTIONS);
}

function trigramsOf(name: string): ReadonlySet<string> {
  const canonical = canonicalName(name);
  return new Set(
    Array.from({ length: canonical.length }, (_, start) => canonical.slice(start, start + 3)),
  );
}

/** Bouncy Castle uses SHA, SHA1 and SHA-1 for the same digest, and sometimes omits CBC. */
function canonicalName(name: string): string {
  return name
    .toUpperCase()
    .replace('WITHSHA-', 'WITHSHA')
    .replace('WITHSHAAND', 'WITHSHA1AND')
    .replace('BITAES-BC', 'BITAES-CBC-BC')
    .replace('KEYDESEDE', 'KEYTRIPLEDES');
}
