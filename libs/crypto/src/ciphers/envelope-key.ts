// Keys of our envelope: made from a password, and the public id of one that was given none.
import { createHmac, scrypt } from 'node:crypto';

const KEY_BYTES = 32;
const KID_DIGITS = 8;
const KID_LABEL = 'tessera envelope key id v1';

// 32 MiB and about a tenth of a second: once for each key at start.
const WORK = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/**
 * A key of 32 bytes by scrypt (N = 2^15, r = 8, p = 1) from a password, however it was composed of
 * accents and letters (NFC). In the thread pool.
 *
 * @param salt not secret, and best another for each installation
 * @see RFC 7914
 */
export function deriveKey(password: string, salt: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, WORK, (error, key) => {
      if (error) {
        reject(error);
      } else {
        resolve(key);
      }
    });
  });
}

/** Eight hexadecimal digits, always the same for a key, that tell nothing else about it. */
export function keyId(key: Uint8Array): string {
  return createHmac('sha256', key).update(KID_LABEL).digest('hex').slice(0, KID_DIGITS);
}
