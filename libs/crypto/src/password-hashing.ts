// Hashes passwords with argon2id and verifies all supported hashes, with bounded concurrency.
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Applicant, FairQueue } from '@tessera/runtime';
import {
  loadArgon2,
  argon2Parameters,
  DEFAULT_ARGON2_PARAMETERS,
  violationIn,
  verifyArgon2,
  type Argon2Parameters,
} from './argon2-hash.js';
import { CryptoError } from './crypto-error.js';
import { passwordHashingEvents } from './crypto-events.js';
import { foreignPasswordCheck, withoutSchemePrefix } from './foreign-hash.js';

// Hashes run on libuv's thread pool, which has four threads by default. One stays free for DNS and files.
const LIBUV_THREADS = 4;
const DEFAULT_MAX_WAITING = 128;
/** So many networks may fill the queue before one of them loses a place to another. */
const FULL_LINES = 4;
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

// Normalising takes quadratic time in a run of combining marks: 64 KiB of them block the event loop
// for a second, 1,024 characters for a millisecond.
const MAX_NORMALISED = 1024;

export interface PasswordHashingOptions extends Partial<Argon2Parameters> {
  /** Concurrent hashes. Default: one per core, at most three. Several processes share the same cores. */
  readonly maxRunning?: number;
  /** Maximum queued callers of one network, see {@link FairQueue}; further ones get PASSWORD_HASHING_BUSY. Default 128. */
  readonly maxWaiting?: number;
  /** Who the current request is from. Default: nobody in particular. */
  readonly currentCaller?: () => HashingCaller;
}

export interface HashingCaller extends Applicant {
  /** Whether nobody waits for the result any more. */
  isGone(): boolean;
}

const NOBODY: HashingCaller = { network: '', isKnown: true, isGone: () => false };

type Check = (password: string) => Promise<boolean>;

/**
 * Hashes passwords with argon2id, and verifies argon2id and hashes of other systems.
 *
 * Every string is a valid password, the empty one and NULs included. Argon2id uses the Unicode NFC form
 * of passwords up to 1,024 characters, so that é from any keyboard is the same. Other hashes use the
 * password as typed.
 *
 * Callers wait in turns, by network.
 *
 * @throws CryptoError PASSWORD_HASHING_BUSY when too many callers wait; try again later
 * @throws CryptoError CALLER_GONE where the caller is gone when its turn comes
 * @throws CryptoError PASSWORD_HASHING_SETTINGS in the constructor, for parameters out of bounds
 */
export class PasswordHashing {
  readonly parameters: Argon2Parameters;
  /** An argon2id hash with the current parameters that no password matches. */
  readonly decoyHash: string;
  /** Maximum concurrent hashes. A bulk caller needs no more tasks of its own. */
  readonly maxRunning: number;
  private readonly queue: FairQueue;
  private readonly currentCaller: () => HashingCaller;
  private verificationCount = 0;

  constructor(options: PasswordHashingOptions = {}) {
    const { maxRunning, maxWaiting = DEFAULT_MAX_WAITING, currentCaller, ...parameters } = options;
    this.currentCaller = currentCaller ?? (() => NOBODY);
    this.parameters = { ...DEFAULT_ARGON2_PARAMETERS, ...parameters };
    this.maxRunning = maxRunning ?? Math.min(availableParallelism(), LIBUV_THREADS - 1);
    const violation =
      violationIn(this.parameters) ??
      (this.maxRunning >= 1 ? undefined : 'at least one hash must be allowed to run');
    if (violation !== undefined) {
      throw new CryptoError('PASSWORD_HASHING_SETTINGS', `argon2: ${violation}`);
    }
    const limits = { ofNetwork: maxWaiting, ofGroup: maxWaiting * FULL_LINES };
    this.queue = new FairQueue(this.maxRunning, limits, busyError);
    this.decoyHash = decoyHash(this.parameters);
  }

  /** Number of verifications so far, decoys included. */
  get verifications(): number {
    return this.verificationCount;
  }

  /** Hashes `password` with a new salt and the current parameters, in PHC string format. */
  hash(password: string): Promise<string> {
    const { memory, iterations, parallelism } = this.parameters;
    return this.run(async () => {
      const { hash } = await loadArgon2();
      return hash(canonical(password), {
        memoryCost: memory,
        timeCost: iterations,
        parallelism,
        outputLen: DIGEST_BYTES,
      });
    });
  }

  /**
   * Whether `password` matches `hash`. A hash that {@link supports} rejects never matches, and costs
   * nothing.
   */
  async verify(hash: string, password: string): Promise<boolean> {
    const check = checkOf(hash);
    return check !== undefined && (await this.compute(check, password));
  }

  /** Always false, after the same work as verifying a hash with the current parameters. */
  async verifyDecoy(password: string): Promise<false> {
    await this.compute(checkArgon2id(this.decoyHash), password);
    return false;
  }

  /**
   * Whether `hash` is well-formed, of a supported kind and within the cost limits. Supported are argon2id
   * and argon2i (PHC string format, version 19), bcrypt, PBKDF2, scrypt, SHA-crypt and salted SHA of LDAP.
   */
  supports(hash: string): boolean {
    return checkOf(hash) !== undefined;
  }

  /** Whether a verified hash is not argon2id with the current parameters. */
  needsRehash(hash: string): boolean {
    const stored = argon2Parameters(hash, 'argon2id');
    return (
      stored?.memory !== this.parameters.memory ||
      stored.iterations !== this.parameters.iterations ||
      stored.parallelism !== this.parameters.parallelism
    );
  }

  private compute(check: Check, password: string): Promise<boolean> {
    const caller = this.currentCaller();
    return this.run(() => {
      if (caller.isGone()) return Promise.reject(goneError());
      this.verificationCount += 1;
      return check(password);
    });
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    const queuedAt = performance.now();
    let isStarted = false;
    passwordHashingEvents.publish({ type: 'queued' });
    try {
      return await this.queue.run(this.currentCaller(), () => {
        isStarted = true;
        passwordHashingEvents.publish({
          type: 'started',
          waited: performance.now() - queuedAt,
        });
        return work();
      });
    } finally {
      passwordHashingEvents.publish({ type: isStarted ? 'finished' : 'refused' });
    }
  }
}

function checkOf(hash: string): Check | undefined {
  const bare = withoutSchemePrefix(hash);
  return argon2Parameters(bare, 'argon2id') ? checkArgon2id(bare) : foreignPasswordCheck(bare);
}

function checkArgon2id(hash: string): Check {
  return (password) => verifyArgon2(hash, canonical(password));
}

/**
 * The text to hash. Lone surrogates have no UTF-8 and would all become one replacement character.
 * A password with one is therefore escaped, behind a noncharacter that no keyboard types.
 */
function canonical(password: string): string {
  const text = password.length > MAX_NORMALISED ? password : password.normalize('NFC');
  return text.isWellFormed() ? text : `\u{10ffff}${JSON.stringify(text)}`;
}

/** A random hash for which no password is known. */
function decoyHash({ memory, iterations, parallelism }: Argon2Parameters): string {
  const [salt, digest] = [SALT_BYTES, DIGEST_BYTES].map((size) =>
    randomBytes(size).toString('base64').replaceAll('=', ''),
  );
  return `$argon2id$v=19$m=${memory},t=${iterations},p=${parallelism}$${salt}$${digest}`;
}

function busyError(): CryptoError {
  return new CryptoError(
    'PASSWORD_HASHING_BUSY',
    'too many passwords are being checked at the moment; try again shortly',
  );
}

function goneError(): CryptoError {
  return new CryptoError('CALLER_GONE', 'the caller has closed the connection');
}
