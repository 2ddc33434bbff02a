// Hashes passwords with argon2id and verifies them with whatever made their hash, a bounded number at
// once; where hashes are kept is not its affair.
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  argon2,
  argon2Parameters,
  DEFAULT_ARGON2_PARAMETERS,
  faultOf,
  verifyArgon2,
  type Argon2Parameters,
} from './argon2-hash.js';
import { CryptoError } from './crypto-error.js';
import { foreignCheck, withoutEnvelope } from './foreign-hash.js';
import { WorkQueue } from './work-queue.js';

// Hashes run on libuv's threads, four unless the process is started otherwise; one stays free for
// name look-ups and files.
const LIBUV_THREADS = 4;
const DEFAULT_MAX_WAITING = 128;
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

// Normalising takes time in the square of a run of combining marks: 64 KiB of them hold the event
// loop for a second, 1,024 characters for a millisecond.
const MAX_NORMALISED = 1024;

export interface PasswordHashingOptions extends Partial<Argon2Parameters> {
  /** Hashes at once. Default: one a core, at most three. Several processes share the same cores. */
  readonly maxRunning?: number;
  /** Callers that may wait for their turn; the next one gets PASSWORD_HASHING_BUSY. Default 128. */
  readonly maxWaiting?: number;
}

type Check = (password: string) => Promise<boolean>;

/**
 * Password hashing with argon2id, and verifying of hashes that other systems made.
 *
 * Every string is a password: its Unicode NFC form counts, so that é typed on any keyboard is the
 * same (beyond 1,024 characters it counts as it stands); NUL is a character like any other; the
 * empty one is allowed here. For hashes other than argon2id the password counts as it was typed.
 *
 * @throws CryptoError PASSWORD_HASHING_BUSY when too many wait already; try again later
 * @throws CryptoError PASSWORD_HASHING_SETTINGS by the constructor, for parameters out of bounds
 */
export class PasswordHashing {
  readonly parameters: Argon2Parameters;
  /** An argon2id hash of the current parameters that was made of no password. */
  readonly decoyHash: string;
  /** How many hashes run at once: a caller with thousands to make needs no more of its own. */
  readonly maxRunning: number;
  private readonly queue: WorkQueue;
  private verificationCount = 0;

  constructor(options: PasswordHashingOptions = {}) {
    const { maxRunning, maxWaiting, ...parameters } = options;
    this.parameters = { ...DEFAULT_ARGON2_PARAMETERS, ...parameters };
    this.maxRunning = maxRunning ?? Math.min(availableParallelism(), LIBUV_THREADS - 1);
    const fault =
      faultOf(this.parameters) ??
      (this.maxRunning >= 1 ? undefined : 'at least one hash must be allowed to run');
    if (fault !== undefined) {
      throw new CryptoError('PASSWORD_HASHING_SETTINGS', `argon2: ${fault}`);
    }
    this.queue = new WorkQueue(this.maxRunning, maxWaiting ?? DEFAULT_MAX_WAITING, tooMany);
    this.decoyHash = decoyHash(this.parameters);
  }

  /** Verifications done by this object so far, decoys included. */
  get verifications(): number {
    return this.verificationCount;
  }

  /** A new hash of `password` with a fresh salt and the current parameters, in PHC string format. */
  hash(password: string): Promise<string> {
    const { memory, iterations, parallelism } = this.parameters;
    return this.queue.run(async () => {
      const { hash } = await argon2();
      return hash(canonical(password), {
        memoryCost: memory,
        timeCost: iterations,
        parallelism,
        outputLen: DIGEST_BYTES,
      });
    });
  }

  /**
   * Whether `hash` was made of `password`. A hash that {@link understands} refuses matches nothing,
   * and costs nothing.
   */
  async verify(hash: string, password: string): Promise<boolean> {
    const check = checkOf(hash);
    return check !== undefined && (await this.compute(check, password));
  }

  /** Always false, after the work that verifying a hash of the current parameters takes. */
  async verifyDecoy(password: string): Promise<false> {
    await this.compute(checkArgon2id(this.decoyHash), password);
    return false;
  }

  /**
   * Whether `hash` is of a kind that is read, whole, and of bearable cost: argon2id or argon2i (PHC
   * string format, version 19), bcrypt, PBKDF2, scrypt, SHA-crypt, salted SHA of LDAP.
   */
  understands(hash: string): boolean {
    return checkOf(hash) !== undefined;
  }

  /** Whether a hash that has just been verified is not argon2id of the current parameters. */
  needsRehash(hash: string): boolean {
    const made = argon2Parameters(hash, 'argon2id');
    return (
      made?.memory !== this.parameters.memory ||
      made.iterations !== this.parameters.iterations ||
      made.parallelism !== this.parameters.parallelism
    );
  }

  private compute(check: Check, password: string): Promise<boolean> {
    return this.queue.run(() => {
      this.verificationCount += 1;
      return check(password);
    });
  }
}

function checkOf(hash: string): Check | undefined {
  const bare = withoutEnvelope(hash);
  return argon2Parameters(bare, 'argon2id') ? checkArgon2id(bare) : foreignCheck(bare);
}

function checkArgon2id(hash: string): Check {
  return (password) => verifyArgon2(hash, canonical(password));
}

/**
 * The text that is hashed. Lone surrogates have no UTF-8 and would all become one replacement
 * character, so a password with one is written out in escapes behind a mark nobody types.
 */
function canonical(password: string): string {
  const text = password.length > MAX_NORMALISED ? password : password.normalize('NFC');
  return text.isWellFormed() ? text : `\u{10ffff}${JSON.stringify(text)}`;
}

/** A hash that no password is known for: nothing is computed to make it. */
function decoyHash({ memory, iterations, parallelism }: Argon2Parameters): string {
  const [salt, digest] = [SALT_BYTES, DIGEST_BYTES].map((size) =>
    randomBytes(size).toString('base64').replaceAll('=', ''),
  );
  return `$argon2id$v=19$m=${memory},t=${iterations},p=${parallelism}$${salt}$${digest}`;
}

function tooMany(): CryptoError {
  return new CryptoError(
    'PASSWORD_HASHING_BUSY',
    'too many passwords are being checked at the moment; try again shortly',
  );
}
