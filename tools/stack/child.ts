// A child process of the stack.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const READY_TIMEOUT_MS = 60_000;
/** The applications shut down within 10 s. */
const STOP_TIMEOUT_MS = 15_000;

export interface Command {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Default: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export class Child {
  readonly name: string;
  /** Resolves with `code 1`, or the signal. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;

  /** Starts it with no other variables than `env`. Each line of its output is printed with its name in front. */
  constructor({ name, program, args, env, cwd, user }: Command) {
    this.name = name;
    // In its own process group, so that Ctrl-C in a terminal does not end all at once.
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, stdio, detached: true, ...user, env });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => console.log(`${name} | ${line}`));
    }
    this.#process = child;
    // Not `close`: a PostgreSQL that Patroni has left behind keeps the output open.
    this.ended = once(child, 'exit').then(
      ([code, signal]) => String(signal ?? `code ${code}`),
      (error: unknown) => String(error),
    );
  }

  /** Waits for its end. @throws Error if it does not end with 0 */
  async untilSuccess(): Promise<void> {
    const ended = await this.ended;
    if (ended !== 'code 0') throw new Error(`${this.name} ended with ${ended}`);
  }

  /** Polls `isReady` until it is true. @throws Error if the process ends first, or on timeout */
  async untilReady(isReady: () => Promise<boolean>): Promise<void> {
    let ended: string | undefined;
    void this.ended.then((how) => (ended = how));
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!(await isReady().catch(() => false))) {
      if (ended !== undefined) throw new Error(`${this.name} ended with ${ended}`);
      if (performance.now() > deadline) throw new Error(`${this.name} is not ready in time`);
      await sleep(POLL_MS);
    }
  }

  /** Stops it, by SIGKILL after a timeout. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#process.kill(signal);
    const timeout = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timeout);
  }
}
