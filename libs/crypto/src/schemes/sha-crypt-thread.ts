// Has SHA-crypt computed on a thread of its own, because Node has no asynchronous form of it and it
// would hold the event loop. The thread is started at need and ended when nobody has needed it.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ShaCryptInput } from './sha-crypt-worker.js';

// `.js` where it was built, `.ts` where the sources themselves run.
const WORKER = new URL(`./sha-crypt-worker${extname(import.meta.url)}`, import.meta.url);
const IDLE_MS = 10_000;

/** A worker and who waits for its answers, which come in the order of the questions. */
export class ShaCryptThread {
  /** Whether it takes no more questions. */
  hasEnded = false;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  private readonly waiting: Array<PromiseWithResolvers<string>> = [];
  private idle: NodeJS.Timeout | undefined;
  // It needs nothing of this process: not its secrets in the environment, not its flags.
  private readonly worker = new Worker(WORKER, { env: {}, execArgv: [] });

  /** @param idleMs milliseconds without work after which it ends */
  constructor(private readonly idleMs = IDLE_MS) {
    this.worker.on('message', (digest: string) => {
      this.waiting.shift()?.resolve(digest);
      this.rest();
    });
    this.worker.on('error', (error) => this.fail(error));
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        this.fail(new Error('the thread of SHA-crypt has ended'));
        resolve();
      });
    });
  }

  compute(input: ShaCryptInput): Promise<string> {
    clearTimeout(this.idle);
    const answer = Promise.withResolvers<string>();
    this.waiting.push(answer);
    this.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.worker.postMessage(input);
    return answer.promise;
  }

  /** While nobody waits it keeps no process from ending. */
  private rest(): void {
    if (this.waiting.length > 0) {
      return;
    }
    this.worker.unref();
    this.idle = setTimeout(() => {
      this.hasEnded = true;
      void this.worker.terminate();
    }, this.idleMs).unref();
  }

  private fail(error: unknown): void {
    this.hasEnded = true;
    for (const { reject } of this.waiting.splice(0)) {
      reject(error);
    }
  }
}

let thread: ShaCryptThread | undefined;

/** The SHA-crypt digest, in its own alphabet. @throws what ended the thread, such as a lack of memory */
export function computeShaCrypt(input: ShaCryptInput): Promise<string> {
  if (!thread || thread.hasEnded) {
    thread = new ShaCryptThread();
  }
  return thread.compute(input);
}
