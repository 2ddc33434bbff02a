// Runs `npm run stack` as a process, on free ports.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';

const MAIN = 'tools/stack/main.ts';
const READY =
  /SSO API +http:\/\/localhost:(?<sso>\d+)\/cas\n.*config server +http:\/\/localhost:(?<config>\d+)\n/s;

export interface StackResult {
  readonly code: number | null;
  readonly output: string;
}

export class RunningStack {
  readonly ended: Promise<StackResult>;
  /** The process and the descendants seen so far. */
  private pids: readonly number[] = [];
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = once(child, 'close').then(([code]) => ({ code, output: this.output }));
  }

  /**
   * @param env environment, by default that of this process
   * @param options such as `--ha`
   */
  static spawn(
    env: NodeJS.ProcessEnv = process.env,
    options: readonly string[] = [],
  ): RunningStack {
    const { NODE_OPTIONS: _, ...others } = env;
    const args = [MAIN, '--free-ports', ...options];
    return new RunningStack(spawn(process.execPath, args, { env: others }));
  }

  /** @param readyPattern output to wait for */
  static async start(readyPattern = READY, options: readonly string[] = []): Promise<RunningStack> {
    const stack = RunningStack.spawn(process.env, options);
    await until(`output ${readyPattern}`, () => {
      if (stack.child.exitCode !== null) throw new Error(stack.output);
      return readyPattern.test(stack.output);
    });
    stack.pids = treeOf(stack.pid);
    return stack;
  }

  /** Ports in place of 8080 and 8888 of the compose file. */
  get ports(): { readonly sso: string; readonly config: string } {
    const { sso = '', config = '' } = READY.exec(this.output)?.groups ?? {};
    return { sso, config };
  }

  /** Environment of a program. @param program part of its command line */
  environmentOf(program: string): string {
    const pid = this.find(program);
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  }

  /** @param program part of the command line */
  commandLineOf(program: string): string {
    return commandOf(this.find(program));
  }

  /** @param program part of the command line */
  kill(program: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    signalAll([this.find(program)], signal);
  }

  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return until(`output ${pattern}`, () => pattern.exec(this.output) ?? undefined);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async untilNothingRuns(): Promise<void> {
    await until('nothing runs any more', () => this.pids.every((pid) => commandOf(pid) === ''));
  }

  /** Stops it; for `afterEach`. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    await this.ended;
  }

  private get pid(): number {
    if (this.child.pid === undefined) throw new Error('the stack did not start');
    return this.child.pid;
  }

  private find(program: string): number {
    const known = this.pids;
    this.pids = [...known, ...treeOf(this.pid).filter((each) => !known.includes(each))];
    const pid = this.pids.find((each) => commandOf(each).includes(program));
    if (pid === undefined) throw new Error(`no ${program} among the processes of the stack`);
    return pid;
  }
}

/** Empty if the process has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
