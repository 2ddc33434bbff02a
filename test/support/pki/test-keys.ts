// Key pairs for test certificates, cached for each process because generating them is slow.

const ALGORITHMS = {
  'RSA-2048': rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-256'),
  'RSA-2048-PSS': rsa('RSA-PSS', 2048, 'SHA-256'),
  'RSA-2048-SHA1': rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-1'),
  'RSA-1024': rsa('RSASSA-PKCS1-v1_5', 1024, 'SHA-256'),
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  Ed25519: { name: 'Ed25519' },
} as const;

export type TestAlgorithm = keyof typeof ALGORITHMS;

export interface TestKeys {
  readonly pair: CryptoKeyPair;
  /** WebCrypto algorithm for signatures with the private key. */
  readonly signing: Algorithm;
}

const pairs = new Map<string, Promise<TestKeys>>();

/** @param which name of the key; the same name and algorithm give the same key */
export function testKeys(algorithm: TestAlgorithm, which = ''): Promise<TestKeys> {
  const name = `${algorithm} ${which}`;
  const known = pairs.get(name);
  if (known !== undefined) return known;
  const made = makeKeys(algorithm);
  pairs.set(name, made);
  return made;
}

/** The same RSA key with another signature digest. */
export async function withDigest({ pair }: TestKeys, hash: 'SHA-1' | 'SHA-256'): Promise<TestKeys> {
  const signing = { name: 'RSASSA-PKCS1-v1_5', hash };
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey);
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, signing, true, ['sign']);
  return { pair: { publicKey: pair.publicKey, privateKey }, signing };
}

async function makeKeys(algorithm: TestAlgorithm): Promise<TestKeys> {
  const parameters = ALGORITHMS[algorithm];
  const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const salt = parameters.name === 'RSA-PSS' ? { saltLength: 32 } : {};
  return { pair: pair as CryptoKeyPair, signing: { ...parameters, ...salt } };
}

function rsa(name: string, modulusLength: number, hash: string) {
  return { name, modulusLength, hash, publicExponent: new Uint8Array([1, 0, 1]) } as const;
}
