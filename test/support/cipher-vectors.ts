// Ciphertexts that the Java libraries produced, with their parameters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../vectors/ciphers.json');

interface CipherPair {
  readonly plain: string;
  readonly cipher: string;
}

/** Spring's symmetric encryptors: `text` is CBC, `delux` GCM; the salt is hexadecimal. */
export interface SpringTextVector extends CipherPair {
  readonly kind: 'text' | 'delux';
  readonly password: string;
  readonly salt: string;
}

/** Spring's RSA encryptor; `pem` is PKCS#8, `pub` is what `/key` answers. */
export interface SpringRsaVector extends CipherPair {
  readonly kind: 'rsa';
  readonly alg: 'DEFAULT' | 'OAEP';
  readonly strong: 'true' | 'false';
  readonly salt: string;
  readonly pem: string;
  readonly pub: string;
}

/** Jasypt; `provider` is `BC`, or empty for SunJCE; `iv` is whether it used an IV generator. */
export interface JasyptVector extends CipherPair {
  readonly kind: 'jasypt';
  readonly alg: string;
  readonly provider: '' | 'BC';
  readonly password: string;
  readonly iterations: string;
  readonly iv: 'true' | 'false';
}

export type CipherVector = SpringTextVector | SpringRsaVector | JasyptVector;

/** All vectors of a kind; the plaintext is UTF-8. @throws Error if there is none */
export function cipherVectors<K extends CipherVector['kind']>(
  kind: K,
): Extract<CipherVector, { kind: K }>[];
export function cipherVectors(kind: CipherVector['kind']): CipherVector[] {
  const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as CipherVector[];
  const rows = vectors.filter((vector) => vector.kind === kind);
  if (rows.length === 0) {
    throw new Error(`no vectors of the kind ${kind}`);
  }
  return rows;
}
