// SHA-256-crypt ($5$) and SHA-512-crypt ($6$), as Unix systems and OpenLDAP's {CRYPT} write them.
// They run in a worker thread: Node has no asynchronous SHA-crypt, and a synchronous one blocks the event loop.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { equalsInConstantTime } from '../digest.js';
import type { PasswordScheme } from './password-scheme.js';
import type { ShaCryptInput } from './sha-crypt-worker.js';

const SHA_CRYPT =
  /^\$([56])\$(?:rounds=([1-9]\d{3,6})\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]{43}(?:[./0-9A-Za-z]{43})?)$/;

const DEFAULT_ROUNDS = 5000;
// About 1.5 seconds, and three times that for the longest passwords. The specification allows 1000 times
// more.
const MAX_ROUNDS = 1_000_000;
const DIGITS = { sha256: 43, sha512: 86 };
// The work grows with the square of the length. Linux crypt(3) has the same limit.
const MAX_PASSWORD_BYTES = 511;

/**
 * `$6$rounds=<rounds>$<salt>$<digest>`; `rounds=…$` is optional.
 *
 * @see Ulrich Drepper, Unix crypt using SHA-256 and SHA-512
 */
export const shaCrypt: PasswordScheme = (hash) => {
  const [, id, stated, salt = '', digest = ''] = SHA_CRYPT.exec(hash) ?? [];
  const algorithm = id === '5' ? 'sha256' : 'sha512';
  const rounds = Number(stated ?? DEFAULT_ROUNDS);
  if (digest.length !== DIGITS[algorithm] || rounds > MAX_ROUNDS) {
    return undefined;
  }
  return async (password) => {
    if (password.length > MAX_PASSWORD_BYTES) {
      return false;
    }
    const computed = await computeShaCrypt({ algorithm, rounds, salt, password });
    return equalsInConstantTime(computed, digest);
  };
};

// `.js` in the build, `.ts` where Node runs the sources.
const WORKER = new URL(`./sha-crypt-worker${extname(import.meta.url)}`, import.meta.url);
const IDLE_MS = 10_000;

/** A worker and its pending requests, which it answers in order. It ends after an idle time. */
export class ShaCryptThread {
  /** Whether it accepts no more requests. */
  hasEnded = false;
  /** Resolves when the worker has exited. */
  readonly ended: Promise<void>;
  private readonly waiting: Array<PromiseWithResolvers<string>> = [];
  private idle: NodeJS.Timeout | undefined;
  // The worker needs neither the environment, which holds secrets, nor the flags of this process.
  private readonly worker = new Worker(WORKER, { env: {}, execArgv: [] });

  /** @param idleMs milliseconds without work after which the worker ends */
  constructor(private readonly idleMs = IDLE_MS) {
    this.worker.on('message', (digest: string) => {
      this.waiting.shift()?.resolve(digest);
      this.scheduleEnd();
    });
    this.worker.on('error', (error) => this.rejectAll(error));
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        this.rejectAll(new Error('the thread of SHA-crypt has ended'));
        resolve();
      });
    });
  }

  compute(input: ShaCryptInput): Promise<string> {
    clearTimeout(this.idle);
    const result = Promise.withResolvers<string>();
    this.waiting.push(result);
    this.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.worker.postMessage(input);
    return result.promise;
  }

  /** An idle worker does not keep the process alive. */
  private scheduleEnd(): void {
    if (this.waiting.length > 0) {
      return;
    }
    this.worker.unref();
    this.idle = setTimeout(() => {
      this.hasEnded = true;
      void this.worker.terminate();
    }, this.idleMs).unref();
  }

  private rejectAll(error: unknown): void {
    this.hasEnded = true;
    for (const { reject } of this.waiting.splice(0)) {
      reject(error);
    }
  }
}

let thread: ShaCryptThread | undefined;

/** The SHA-crypt digest in crypt's Base64. @throws Error that ended the thread, such as out of memory */
export function computeShaCrypt(input: ShaCryptInput): Promise<string> {
  if (!thread || thread.hasEnded) {
    thread = new ShaCryptThread();
  }
  return thread.compute(input);
}
