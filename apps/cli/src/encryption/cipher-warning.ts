// Owns what is said to whoever writes new values in a way that is kept for old ones. Reading them is fine.
import { JasyptCipher, KeyRing, SpringRsaCipher, type Cipher } from '@tessera/crypto';
import { writeLine, type Terminal } from '../terminal.js';

/**
 * Says so on standard error where a cipher should write nothing new; it can all the same.
 *
 * @param said what was said before, and is not said again
 */
export function warnOfWriting(
  cipher: Cipher,
  { stderr }: Pick<Terminal, 'stderr'>,
  said = new Set<string>(),
): void {
  const warning = warningOf(cipher);
  if (warning === undefined || said.has(warning)) return;
  said.add(warning);
  writeLine(stderr, `tessera: ${warning}`);
}

function warningOf(cipher: Cipher): string | undefined {
  if (cipher instanceof JasyptCipher) return cipher.isLegacy ? LEGACY_ALGORITHM : undefined;
  const bits = weakBitsOf(cipher);
  return bits === undefined ? undefined : `this RSA key has ${bits} bits: ${SHORT_KEY}`;
}

const LEGACY_ALGORITHM =
  'this algorithm is for reading old values: write new ones with ' +
  'PBEWithHmacSHA512AndAES_256, or without --algorithm';

const SHORT_KEY =
  'use it to read old values, and write new ones with a key of 2048 bits or more (tessera keygen)';

/** Of the key that encrypts, where it is an RSA key that is too short for it. */
function weakBitsOf(cipher: Cipher): number | undefined {
  if (cipher instanceof SpringRsaCipher) return cipher.weakBits;
  if (!(cipher instanceof KeyRing)) return undefined;
  const [newest] = cipher.aliases;
  return cipher.weakKeys.find(({ alias }) => alias === newest)?.bits;
}
