// The primes of an RSA key whose JSON Web Key has none: only `d` is required, and OpenSSL needs all.
import type { JsonWebKey } from 'node:crypto';

const BASES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];

/**
 * The key with its primes, their exponents and coefficient. A key that has any of them, or is no private RSA key, stays as it is.
 *
 * @throws Error where `n`, `e` and `d` do not belong together
 * @see RFC 7518 §6.3.2; NIST SP 800-56B Rev. 2, Appendix C.1
 */
export function withPrimes(key: JsonWebKey): JsonWebKey {
  const { kty, n, e, d } = key;
  const hasNone = ['p', 'q', 'dp', 'dq', 'qi'].every((member) => key[member] === undefined);
  if (kty !== 'RSA' || !hasNone) return key;
  const [modulus, exponent] = [numberOf(n), numberOf(d)];
  const factor = factorOf(modulus, numberOf(e) * exponent - 1n);
  if (factor === undefined) throw new Error('the members of the key do not belong together');
  const other = modulus / factor;
  const [p, q] = factor > other ? [factor, other] : [other, factor];
  return {
    ...key,
    p: textOf(p),
    q: textOf(q),
    dp: textOf(exponent % (p - 1n)),
    dq: textOf(exponent % (q - 1n)),
    // By Fermat: the inverse of q modulo the prime p.
    qi: textOf(power(q, p - 2n, p)),
  };
}

/** A prime factor, by a square root of 1 other than ±1. @param multiple of the order of the group, even */
function factorOf(modulus: bigint, multiple: bigint): bigint | undefined {
  let odd = multiple;
  while (odd > 0n && odd % 2n === 0n) odd /= 2n;
  if (modulus < 2n || odd <= 0n || odd === multiple) return undefined;
  for (const base of BASES) {
    let root = power(base, odd, modulus);
    for (let rest = multiple / odd; rest > 1n; rest /= 2n) {
      const square = (root * root) % modulus;
      if (square === 1n) break;
      root = square;
    }
    const factor = commonDivisor(root - 1n, modulus);
    if (factor > 1n && factor < modulus) return factor;
  }
  return undefined;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function commonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function numberOf(text: unknown): bigint {
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64url');
  return BigInt(`0x${bytes.toString('hex') || '0'}`);
}

function textOf(value: bigint): string {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString(
    'base64url',
  );
}
