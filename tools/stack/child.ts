// Owns one program of the stack: its start, its output, its end.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const READY_LIMIT_MS = 60_000;
/** The applications end within 10 s of being told. */
const END_LIMIT_MS = 15_000;

export interface Command {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Who runs it, where that is not ourselves. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export class Child {
  readonly name: string;
  /** How it ended: `code 1`, or a signal. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;

  /** Its variables are those given, and no other. What it says is passed on with its name in front. */
  constructor({ name, program, args, env, cwd, user }: Command) {
    this.name = name;
    // In a group of its own: Ctrl-C in a terminal is to end one after the other.
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, stdio, detached: true, ...user, env });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => console.log(`${name} | ${line}`));
    }
    this.#process = child;
    this.ended = once(child, 'close').then(
      ([code, signal]) => String(signal ?? `code ${code}`),
      (error: unknown) => String(error),
    );
  }

  /** @throws Error where it ends with anything but 0 */
  async succeeds(): Promise<void> {
    const end = await this.ended;
    if (end !== 'code 0') throw new Error(`${this.name} ended with ${end}`);
  }

  /** Asks until the answer is true. @throws Error where it ends meanwhile, or takes too long */
  async isReady(ask: () => Promise<boolean>): Promise<void> {
    let end: string | undefined;
    void this.ended.then((how) => (end = how));
    const deadline = performance.now() + READY_LIMIT_MS;
    while (!(await ask().catch(() => false))) {
      if (end !== undefined) throw new Error(`${this.name} ended with ${end}`);
      if (performance.now() > deadline) throw new Error(`${this.name} is not ready in time`);
      await sleep(POLL_MS);
    }
  }

  /** Ends it, if need be by force. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#process.kill(signal);
    const force = setTimeout(() => this.#process.kill('SIGKILL'), END_LIMIT_MS);
    await this.ended;
    clearTimeout(force);
  }
}
