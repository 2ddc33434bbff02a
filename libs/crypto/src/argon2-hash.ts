// Argon2 hashes in PHC string format: parsing, limits on their cost, verification.
import type { PasswordScheme } from './schemes/password-scheme.js';
import { bytesOfBase64 } from './strict-decoding.js';

/** Cost parameters: memory in KiB, passes, lanes. */
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
// Memory times passes, about two seconds of one core. Either may be high, but not both.
const MAX_WORK = 2 * 1024 * 1024;
// The minimum of argon2 itself.
const MIN_MEMORY_PER_LANE = 8;

// An argon2 hash in PHC format usually has about 97 characters.
const MAX_HASH_LENGTH = 512;

const BASE64 = '[A-Za-z0-9+/]+';
const PHC = new RegExp(
  String.raw`^\$(?<found>argon2id?)\$v=19\$m=(?<m>[1-9]\d*),t=(?<t>[1-9]\d*),p=(?<p>[1-9]\d*)` +
    String.raw`\$(?<salt>${BASE64})\$(?<digest>${BASE64})$`,
);

// Many passwords match a shorter digest.
const MIN_DIGEST_BYTES = 16;
const MIN_SALT_BYTES = 8;

/**
 * Which bound the parameters violate, or `undefined`.
 *
 * The bounds hold for settings and for stored hashes: a manipulated row must not make the service
 * allocate gigabytes.
 */
export function violationIn({
  memory,
  iterations,
  parallelism,
}: Argon2Parameters): string | undefined {
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
 * The parameters of a hash of this kind. `undefined` for any other text, a hash that costs too much to
 * verify, or one with too short a digest or salt.
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
  return isWhole && violationIn(parameters) === undefined ? parameters : undefined;
}

/** Whether the password matches. @param hash one that {@link argon2Parameters} accepts */
export async function verifyArgon2(hash: string, password: string | Buffer): Promise<boolean> {
  const { verify } = await loadArgon2();
  return verify(hash, password);
}

/** Loads the native module at the first use: many processes never hash. */
export function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  return import('@node-rs/argon2');
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && value >= lowest && value <= highest;
}

/** Argon2i hashes, with the bounds of argon2id. @see RFC 9106 */
export const argon2i: PasswordScheme = (hash) =>
  argon2Parameters(hash, 'argon2i') && ((password) => verifyArgon2(hash, password));
