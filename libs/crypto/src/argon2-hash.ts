// Reads argon2 hashes in PHC string format, bounds what one may cost, and verifies them; makes none.
import { bytesOfBase64 } from './schemes/base64.js';

/** What an argon2 hash costs: memory in KiB, passes over it, lanes. */
export interface Argon2Parameters {
  readonly memory: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** @see OWASP Password Storage Cheat Sheet, argon2id */
export const DEFAULT_ARGON2_PARAMETERS: Argon2Parameters = {
  memory: 19_456,
  iterations: 2,
  parallelism: 1,
};

const MAX_MEMORY = 256 * 1024;
const MAX_ITERATIONS = 64;
const MAX_PARALLELISM = 16;
// Memory times passes: about two seconds of one core. Each alone may be high, not both.
const MAX_WORK = 2 * 1024 * 1024;
// Below this argon2 itself refuses.
const MIN_MEMORY_PER_LANE = 8;

// A complete argon2 hash in PHC format is about 97 characters; longer ones are not worth parsing.
const MAX_HASH_LENGTH = 512;

const BASE64 = '[A-Za-z0-9+/]+';
const PHC = new RegExp(
  String.raw`^\$(?<found>argon2id?)\$v=19\$m=(?<m>[1-9]\d*),t=(?<t>[1-9]\d*),p=(?<p>[1-9]\d*)` +
    String.raw`\$(?<salt>${BASE64})\$(?<digest>${BASE64})$`,
);

// A shorter digest is the digest of many passwords.
const MIN_DIGEST_BYTES = 16;
const MIN_SALT_BYTES = 8;

/**
 * What is wrong with these parameters, or nothing.
 *
 * The bounds hold for settings and for stored hashes alike: a row somebody tampered with must not
 * make the service allocate gigabytes.
 */
export function faultOf({ memory, iterations, parallelism }: Argon2Parameters): string | undefined {
  if (!isBetween(parallelism, 1, MAX_PARALLELISM)) {
    return `parallelism must be 1 to ${MAX_PARALLELISM}`;
  }
  if (!isBetween(memory, MIN_MEMORY_PER_LANE * parallelism, MAX_MEMORY)) {
    return `memory must be ${MIN_MEMORY_PER_LANE * parallelism} to ${MAX_MEMORY} KiB`;
  }
  if (!isBetween(iterations, 1, MAX_ITERATIONS)) {
    return `iterations must be 1 to ${MAX_ITERATIONS}`;
  }
  if (memory * iterations > MAX_WORK) {
    return `memory (KiB) times iterations must be at most ${MAX_WORK}`;
  }
  return undefined;
}

/**
 * The parameters of a hash of this kind; `undefined` where it is none, costs too much to verify, or has
 * too short a digest or salt.
 */
export function argon2Parameters(
  hash: string,
  kind: 'argon2id' | 'argon2i',
): Argon2Parameters | undefined {
  const match = hash.length > MAX_HASH_LENGTH ? null : PHC.exec(hash);
  const { found, m, t, p, salt = '', digest = '' } = match?.groups ?? {};
  const parameters = { memory: Number(m), iterations: Number(t), parallelism: Number(p) };
  const isWhole =
    found === kind &&
    (bytesOfBase64(salt)?.length ?? 0) >= MIN_SALT_BYTES &&
    (bytesOfBase64(digest)?.length ?? 0) >= MIN_DIGEST_BYTES;
  return isWhole && faultOf(parameters) === undefined ? parameters : undefined;
}

/** Whether the hash was made of the password. @param hash one that {@link argon2Parameters} knows */
export async function verifyArgon2(hash: string, password: string | Buffer): Promise<boolean> {
  const { verify } = await argon2();
  return verify(hash, password);
}

/** Native, and loaded with the first hash: many a process meets none. */
export function argon2(): Promise<typeof import('@node-rs/argon2')> {
  return import('@node-rs/argon2');
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && value >= lowest && value <= highest;
}
