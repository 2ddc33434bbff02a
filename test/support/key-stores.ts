// Key stores written by keytool and OpenSSL, with their contents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../vectors/key-stores.json');

export interface KeyStoreVector {
  readonly writtenBy: string;
  readonly password: string;
  /** Of the keys, where it is another one. */
  readonly keyPassword?: string;
  /** Its RSA keys; the hexadecimal digest is of the public key in DER. */
  readonly keys: readonly { readonly alias: string | null; readonly publicKeySha256: string }[];
  readonly content: Buffer;
}

export function keyStoreVectors(): readonly KeyStoreVector[] {
  const rows = JSON.parse(readFileSync(FILE, 'utf8')) as (KeyStoreVector & { store: string })[];
  return rows.map(({ store, ...row }) => ({ ...row, content: Buffer.from(store, 'base64') }));
}
