// The SHA-crypt function and its worker thread. It imports no other source, so that Node can run it unbuilt.
// Production code starts it as a worker and never imports it.
import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

export interface ShaCryptInput {
  readonly algorithm: 'sha256' | 'sha512';
  /** At least 1000. */
  readonly rounds: number;
  /** At most 16 characters of ASCII. */
  readonly salt: string;
  readonly password: Uint8Array;
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The digest after the last `$` of a hash: 43 or 86 characters. */
export function shaCryptDigest({ algorithm, rounds, salt, password }: ShaCryptInput): string {
  const digestOf = (...parts: readonly Uint8Array[]): Buffer =>
    hash(algorithm, Buffer.concat(parts), 'buffer');
  const saltBytes = Buffer.from(salt, 'latin1');
  const length = password.length;

  const inner = digestOf(password, saltBytes, password);
  const byBits: Uint8Array[] = [];
  for (let bits = length; bits > 0; bits >>>= 1) {
    byBits.push((bits & 1) === 1 ? inner : password);
  }
  let digest = digestOf(password, saltBytes, repeated(inner, length), ...byBits);

  const passwords = Array.from({ length }, () => password);
  const salts = Array.from({ length: 16 + (digest[0] ?? 0) }, () => saltBytes);
  const p = repeated(digestOf(...passwords), length);
  const s = repeated(digestOf(...salts), saltBytes.length);
  const none = Buffer.alloc(0);
  for (let round = 0; round < rounds; round += 1) {
    const [first, last] = round % 2 === 1 ? [p, digest] : [digest, p];
    digest = digestOf(first, round % 3 === 0 ? none : s, round % 7 === 0 ? none : p, last);
  }
  return algorithm === 'sha256' ? encodeSha256(digest) : encodeSha512(digest);
}

function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes);
}

/** Encodes triples of bytes a third of the digest apart, rotated right by one each time. */
function encodeSha256(digest: Buffer): string {
  let [a, b, c] = [0, 10, 20];
  let text = '';
  for (let step = 0; step < 10; step += 1) {
    text += encode([digest[a], digest[b], digest[c]], 4);
    [a, b, c] = [c + 1, a + 1, b + 1];
  }
  return text + encode([0, digest[31], digest[30]], 3);
}

/** As for SHA-256, rotated left. */
function encodeSha512(digest: Buffer): string {
  let [a, b, c] = [0, 21, 42];
  let text = '';
  for (let step = 0; step < 21; step += 1) {
    text += encode([digest[a], digest[b], digest[c]], 4);
    [a, b, c] = [b + 1, c + 1, a + 1];
  }
  return text + encode([0, 0, digest[63]], 2);
}

/** Encodes the lowest six bits first. */
function encode(
  [high = 0, middle = 0, low = 0]: ReadonlyArray<number | undefined>,
  digits: number,
) {
  let bits = (high << 16) | (middle << 8) | low;
  let text = '';
  for (let digit = 0; digit < digits; digit += 1) {
    text += ALPHABET.charAt(bits & 63);
    bits >>>= 6;
  }
  return text;
}

parentPort?.on('message', (input: ShaCryptInput) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage(shaCryptDigest(input));
});
