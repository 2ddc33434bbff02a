// The table of Jasypt's algorithms: what of the JDK's and Bouncy Castle's can be read and written here.
import { CryptoError } from '../../crypto-error.js';
import { aes, DES, TRIPLE_DES, TWO_KEY_TRIPLE_DES, type BulkCipher } from './bulk-cipher.js';
import type { PasswordDerivation } from './password-derivation.js';
import { pbkdf1, tripleDesOfJdk } from './pbkdf1.js';
import { pbkdf2 } from './pbkdf2.js';
import { pkcs12 } from './pkcs12-derivation.js';
import { rc2 } from './rc2.js';
import { rc4 } from './rc4.js';

export interface JasyptAlgorithm {
  /** As Java spells it. */
  readonly name: string;
  /** Fit for reading what is there, not for writing more: a broken cipher or digest. */
  readonly isLegacy: boolean;
}

/** An algorithm with what does its work. */
export interface PasswordBasedCipher extends JasyptAlgorithm {
  readonly derivation: PasswordDerivation;
  readonly bulk: BulkCipher;
  /** Its initialization vector is not derived, so that one is stored in any case. */
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

/** What to name where one is needed. */
const NEW_VALUES = 'PBEWithHmacSHA512AndAES_256';

/** Names of algorithms that one who mistyped one is told. */
const SUGGESTIONS = 3;

const BY_NAME = new Map(ALGORITHMS.map((algorithm) => [canonicalName(algorithm.name), algorithm]));

/** What `JasyptCipher` reads and writes. */
export const JASYPT_ALGORITHMS: readonly JasyptAlgorithm[] = ALGORITHMS.map(
  ({ name, isLegacy }) => ({ name, isLegacy }),
);

/**
 * The algorithm of that name in any case, or of one of Bouncy Castle's other names for it.
 *
 * @throws CryptoError CIPHER_UNSUPPORTED, naming it and those that it may have been meant for
 */
export function jasyptAlgorithm(name: string): PasswordBasedCipher {
  const algorithm = BY_NAME.get(canonicalName(name));
  if (!algorithm) {
    throw new CryptoError(
      'CIPHER_UNSUPPORTED',
      `the algorithm ${JSON.stringify(name)} is not supported: decrypt its values with Jasypt and ` +
        `encrypt them anew, best with tessera encrypt without --algorithm, or with ` +
        `${NEW_VALUES}. Read are, among those of docs/encryption.md, ${nearestTo(name).join(', ')}`,
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

/** The algorithms whose names share the most parts of three characters with the name. */
function nearestTo(name: string): readonly string[] {
  const parts = partsOf(name);
  const likeness = (known: string): number => {
    const others = partsOf(known);
    const shared = [...parts].filter((part) => others.has(part)).length;
    return shared / (parts.size + others.size - shared);
  };
  const names = ALGORITHMS.map((known) => known.name);
  return names.toSorted((one, other) => likeness(other) - likeness(one)).slice(0, SUGGESTIONS);
}

function partsOf(name: string): ReadonlySet<string> {
  const canonical = canonicalName(name);
  return new Set(
    Array.from({ length: canonical.length }, (_, start) => canonical.slice(start, start + 3)),
  );
}

/** Bouncy Castle writes SHA, SHA1 and SHA-1 for the same, and leaves CBC out at times. */
function canonicalName(name: string): string {
  return name
    .toUpperCase()
    .replace('WITHSHA-', 'WITHSHA')
    .replace('WITHSHAAND', 'WITHSHA1AND')
    .replace('BITAES-BC', 'BITAES-CBC-BC')
    .replace('KEYDESEDE', 'KEYTRIPLEDES');
}
